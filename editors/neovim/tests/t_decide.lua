local Child = require('child')
local Fake = require('fake')
local eq = require('eq')
local hunk = Fake.hunk

local text = 'one\ntwo\nthree\nfour\nfive\n'
local done = { resolved = {}, stale = {}, failed = {}, mixed = {} }

---@param check fun(f: table, nvim: table)
---@param options? table
local function with(check, options)
  local all = { files = { ['a.txt'] = text, ['b.txt'] = text }, open = 'a.txt' }
  Fake.with(vim.tbl_extend('force', all, options or {}), function(f, nvim)
    f:answer('redline/resolve', done)
    f:review({
      hunk('h1', 1, 2, 'two\n', 'TWO\n'),
      hunk('h2', 3, 3, '', 'new\n'),
      hunk('h3', 4, 5, 'five\n', ''),
    })
    check(f, nvim)
  end)
end

--- Types keys and returns what the server was asked to resolve.
local function resolves(f, nvim, keys)
  nvim:keys(keys)
  local params = f:expect('redline/resolve')
  params.revision = nil
  return params
end

return {
  {
    'each decision, by key and by command',
    function()
      with(function(f, nvim)
        local uri = f.uri
        local cases = {
          { '2Ggy', { action = 'accept', uri = uri, hunks = { 'h1' } } },
          { '2Ggz', { action = 'reject', uri = uri, hunks = { 'h1' } } },
          { '3Ggy', { action = 'accept', uri = uri, hunks = { 'h2' } } },
          { '1GgY', { action = 'accept', uri = uri, hunks = { 'h1', 'h2', 'h3' } } },
          { '1GgZ', { action = 'reject', uri = uri, hunks = { 'h1', 'h2', 'h3' } } },
          { 'ggVjjgy', { action = 'accept', uri = uri, hunks = { 'h1', 'h2' } } },
          { 'GVgz', { action = 'reject', uri = uri, hunks = { 'h3' } } },
          {
            '2Ggbtoo loud<CR>',
            { action = 'reject', uri = uri, hunks = { 'h1' }, comment = 'too loud' },
          },
          { ':2Redline accept<CR>', { action = 'accept', uri = uri, hunks = { 'h1' } } },
          {
            ':2,5Redline reject<CR>',
            { action = 'reject', uri = uri, hunks = { 'h1', 'h2', 'h3' } },
          },
          { ':Redline! accept<CR>', { action = 'accept', include = 'applied' } },
          { ':Redline! reject<CR>', { action = 'reject', include = 'applied' } },
          {
            ':Redline accept_all<CR>',
            { action = 'accept', uri = uri, hunks = { 'h1', 'h2', 'h3' } },
          },
          { ':Redline! reject_all<CR>', { action = 'reject', include = 'applied' } },
          {
            ':2Redline comment no thanks<CR>',
            { action = 'reject', uri = uri, hunks = { 'h1' }, comment = 'no thanks' },
          },
          {
            ':2Redline reject because<CR>',
            { action = 'reject', uri = uri, hunks = { 'h1' }, comment = 'because' },
          },
        }
        for _, case in ipairs(cases) do
          eq(resolves(f, nvim, case[1]), case[2], case[1])
        end
        eq(nvim:lines(), vim.split(text, '\n', { trimempty = true }))
      end)
    end,
  },
  {
    'the revision that the user saw goes along; stale and failed are told',
    function()
      with(function(f, nvim)
        f:answer('redline/resolve', {
          resolved = {},
          stale = { 'h1' },
          failed = { { hunk = 'h1', reason = 'the disk is full' } },
          mixed = {},
        })
        nvim:keys('2Ggy')
        eq(f:expect('redline/resolve').revision, 1)
        nvim:hears('1 hunk changed meanwhile')
        nvim:hears('the disk is full')
        nvim:keys('1Ggy')
        nvim:hears('no hunk here')
      end)
    end,
  },
  {
    'reopen a decided hunk',
    function()
      with(function(f, nvim)
        f:review({
          hunk('h1', 1, 2, 'TWO\n', 'two\n', { state = 'accepted' }),
          hunk('h3', 4, 4, '', '', { state = 'rejected' }),
        })
        eq(
          resolves(f, nvim, '2G:Redline reopen<CR>'),
          { action = 'reopen', uri = f.uri, hunks = { 'h1' } }
        )
        eq(resolves(f, nvim, ':Redline! reopen<CR>').hunks, { 'h1', 'h3' })
      end)
    end,
  },
  {
    'edit before accepting',
    function()
      with(function(f, nvim)
        nvim:keys('2Ggl')
        nvim:sees('Edit, then accept')
        eq(resolves(f, nvim, 'A!<Esc>ofoo<Esc>:w<CR>'), {
          action = 'accept',
          uri = f.uri,
          hunks = { 'h1' },
          finalText = 'TWO!\nfoo\n',
        })
        nvim:sees_no('Edit, then accept')
        f:methods()
        nvim:keys('2Gglxxq')
        nvim:sees_no('Edit, then accept')
        eq(f:methods(), {})
        eq(resolves(f, nvim, '2GglVd:w<CR>').finalText, '')
      end)
    end,
  },
  {
    'next and previous: counts, other files, folds, the jump list',
    function()
      with(function(f, nvim)
        f:review(
          { hunk('b1', 2, 3, 'three\n', '3\n') },
          { uri = f:uri_of('b.txt'), version = vim.NIL }
        )
        nvim:lua("vim.wo.foldmethod = 'manual' vim.cmd('4,5fold')")
        local function at()
          return { nvim:lua("return vim.fn.expand('%:t')"), nvim:cursor()[1] }
        end
        local steps = {
          { ']x', 'a.txt', 2 },
          { ']x', 'a.txt', 3 },
          { ']x', 'a.txt', 5 },
          { ']x', 'b.txt', 3 },
          { ']x', 'a.txt', 2 },
          { '[x', 'b.txt', 3 },
          { '[x', 'a.txt', 5 },
          { '2[x', 'a.txt', 2 },
          { ':Redline next<CR>', 'a.txt', 3 },
          { ':Redline prev<CR>', 'a.txt', 2 },
        }
        for i, step in ipairs(steps) do
          nvim:keys(step[1])
          Child.eventually(
            ('step %d to %s %d, not %s'):format(i, step[2], step[3], vim.inspect(at())),
            function()
              return vim.deep_equal(at(), { step[2], step[3] })
            end,
            1500
          )
        end
        nvim:keys('5G<C-o>')
        eq(at(), { 'a.txt', 2 })
        eq(nvim:lua('return vim.fn.foldclosed(5)'), -1)
      end)
    end,
  },
  {
    'textobject, preview, quickfix list, log, status',
    function()
      with(function(f, nvim)
        nvim:keys('2Gyih')
        eq(nvim:lua("return vim.fn.getreg('\"')"), 'two\n')
        nvim:keys('gK')
        nvim:sees('Hunk 1/3 · main · edit_file')
        eq(nvim:lines(), { 'two', 'TWO' })
        nvim:keys('q:Redline qflist<CR>')
        nvim:sees('2/3 -0 +1  new')
        eq(nvim:lua('return #vim.fn.getqflist()'), 3)
        f:review({ hunk('h1', 1, 2, 'two\n', 'TWO\n') }, { version = vim.NIL })
        eq(nvim:lua('return #vim.fn.getqflist()'), 1)
        nvim:keys(':cclose<CR>:Redline log<CR>')
        eq(nvim:lua('return vim.api.nvim_buf_get_name(0)'), 'redline://log')
        f:answer('redline/status', {
          pendingHunks = 1,
          pendingFiles = 1,
          asks = 0,
          model = 'm',
          dialect = 'amp',
          version = '0.1',
          logFile = '/l',
        })
        nvim:keys(':q<CR>:Redline status<CR>')
        nvim:sees('model m')
      end)
    end,
  },
  {
    'completion, and an unknown subcommand',
    function()
      with(function(_, nvim)
        eq(
          nvim:lua("return vim.fn.getcompletion('Redline re', 'cmdline')"),
          { 'reject', 'reject_all', 'reopen', 'rewind' }
        )
        eq(nvim:lua("return #vim.fn.getcompletion('Redline ', 'cmdline')"), 20)
        nvim:keys(':Redline nonsense<CR>')
        nvim:hears('no command "nonsense"')
      end)
    end,
  },
  {
    "keys come with hunks and go with them; the user's own come back; false means none",
    function()
      with(function(f, nvim)
        local function map(lhs)
          return nvim:lua("return vim.fn.maparg(..., 'n')", lhs)
        end
        eq(map('gy'), '<Plug>(redline-accept)')
        eq(map('gz'), '')
        f:review(
          { hunk('b1', 0, 1, 'one\n', '1\n') },
          { uri = f:uri_of('b.txt'), version = vim.NIL }
        )
        f:review({})
        eq(map('gy'), '')
        eq(map(']x'), '<Plug>(redline-next)')
        f:review({}, { uri = f:uri_of('b.txt'), version = vim.NIL })
        eq(map(']x'), '')
        nvim:lua("vim.keymap.set('n', 'gy', 'mine', { buffer = true })")
        f:review({ hunk('h1', 1, 2, 'two\n', 'TWO\n') })
        eq(map('gy'), '<Plug>(redline-accept)')
        f:review({})
        eq(map('gy'), 'mine')
      end, { setup = { keys = { reject = false } } })
    end,
  },
  {
    'status line, buffer variable, events',
    function()
      with(function(f, nvim)
        nvim:lua([[
          vim.g.seen = {}
          vim.api.nvim_create_autocmd('User', {
            pattern = 'Redline*',
            callback = function(e)
              local all = vim.g.seen
              table.insert(all, e.match .. ' ' .. (e.data.hunk or e.data.revision or ''))
              vim.g.seen = all
            end,
          })
        ]])
        eq(nvim:lua("return require('redline').statusline()"), 'redline: 3 hunks')
        eq(nvim:lua('return vim.b.redline_status'), '3 hunks')
        f:review({
          hunk('h2', 3, 3, '', 'new\n'),
          hunk('h1', 1, 2, 'two\n', 'TWO\n', { state = 'accepted' }),
        })
        eq(
          nvim:lua('return vim.g.seen'),
          { 'RedlineResolved h1', 'RedlineResolved h3', 'RedlineReview 2' }
        )
        eq(nvim:lua('return vim.b.redline_status'), '1 hunk')
      end)
    end,
  },
  {
    'a proposed file that does not exist: read-only, listed, decided there',
    function()
      with(function(f, nvim)
        local uri = f:uri_of('new.lua')
        f:answer('redline/content', { text = 'local x = 1\nreturn x\n' })
        f:review({ hunk('n1', 0, 0, '', 'local x = 1\nreturn x\n') }, {
          uri = uri,
          version = vim.NIL,
          change = 'created',
        })
        eq(nvim:lua("return vim.fn.expand('%:t')"), 'a.txt')
        f:expect('redline/content')
        nvim:keys('G]x')
        nvim:sees('return x')
        eq(nvim:lua('return vim.api.nvim_buf_get_name(0)'), 'redline://' .. f.dir .. '/new.lua')
        eq(nvim:lua('return vim.bo.modifiable'), false)
        eq(nvim:lua('return vim.bo.filetype'), 'lua')
        nvim:sees('1/1 gy accept gz reject')
        eq(resolves(f, nvim, 'Ggy'), { action = 'accept', uri = uri, hunks = { 'n1' } })
        local file = assert(io.open(f.dir .. '/new.lua', 'w'))
        file:write('local x = 1\nreturn x\n')
        file:close()
        f:review({}, { uri = uri, version = vim.NIL, change = 'created' })
        eq(nvim:lua('return vim.api.nvim_buf_get_name(0)'), f.dir .. '/new.lua')
        eq(nvim:lua('return #vim.fn.getbufinfo({ buflisted = 1 })'), 2)
      end)
    end,
  },
  {
    'a refused new file leaves nothing',
    function()
      with(function(f, nvim)
        local uri = f:uri_of('new.txt')
        local more = { uri = uri, version = vim.NIL, change = 'created' }
        f:review({ hunk('n1', 0, 0, '', 'x\n') }, more)
        nvim:keys('G]x')
        Child.eventually('in the new file', function()
          return nvim:lua('return vim.b.redline_virtual') == true
        end)
        f:review({}, more)
        eq(nvim:lua("return vim.fn.expand('%:t')"), 'a.txt')
        eq(nvim:lua("return vim.fn.bufexists('redline://' .. ...)", f.dir .. '/new.txt'), 0)
      end)
    end,
  },
  {
    'when the server ends, its hunks and asks go',
    function()
      with(function(f, nvim)
        nvim:sees('TWO')
        f:tell({ exit = 3 })
        nvim:sees_no('TWO')
        nvim:hears('the server ended (exit code 3')
        eq(nvim:lua("return vim.fn.maparg('gy', 'n')"), '')
      end)
    end,
  },
}
