local Child = require('child')
local Fake = require('fake')
local eq = require('eq')
local hunk = Fake.hunk

local text = 'one\ntwo\nthree\nfour\nfive\n'

---@param options table
---@param check fun(f: table, nvim: table)
local function with(options, check)
  Fake.with(
    vim.tbl_extend('force', { files = { ['a.txt'] = text }, open = 'a.txt' }, options),
    check
  )
end

---@param nvim table
---@return table[] row, group pairs of tinted lines
local function tints(nvim)
  return nvim:lua([=[
    local ns = require('redline.view').ns
    local found = {}
    for _, m in ipairs(vim.api.nvim_buf_get_extmarks(0, ns, 0, -1, { details = true })) do
      if m[4].hl_eol then table.insert(found, { m[2], m[4].hl_group }) end
    end
    return found
  ]=])
end

return {
  {
    'a replaced line: old tinted, new below it, sign and hint',
    function()
      with({}, function(f, nvim)
        f:review({ hunk('h1', 1, 2, 'two\n', 'TWO\n2b\n'), hunk('h2', 3, 4, 'four\n', '') })
        eq(nvim:screen(1, 7), {
          '  one',
          '▎ two',
          '  TWO',
          '  2b',
          '  three',
          '▎ four',
          '  five',
        })
        eq(tints(nvim), { { 1, 'RedlineDelete' }, { 3, 'RedlineDelete' } })
        nvim:keys('j')
        local row = nvim:screen(2, 2)[1]
        eq(row:match('^▎ two%s+(.*)$'), '1/2 gy accept gz reject')
        nvim:keys('j')
        nvim:sees_no('gy accept')
        eq(nvim:lines(), { 'one', 'two', 'three', 'four', 'five' })
        eq(nvim:lua('return vim.bo.modified'), false)
      end)
    end,
  },
  {
    'a file that goes is red as a whole, and says so above its first line',
    function()
      with({}, function(f, nvim)
        local whole = hunk('h1', 0, 5, text, '')
        f:review({ whole }, { change = 'deleted' })
        local lines = { '▎ one', '▎ two', '▎ three', '▎ four', '▎ five' }
        eq(nvim:screen(1, 1), { '  This file would be deleted.' })
        eq(nvim:screen(3, 6), vim.list_slice(lines, 2, 5))
        eq(nvim:screen(2, 2)[1]:match('^▎ one%s+(.*)$'), '1/1 gy delete the file gz reject')
        eq(#tints(nvim), 5)
        whole.mixed = true
        f:review({ whole }, { change = 'deleted' })
        nvim:sees('You typed in this file since')
        local gone = hunk('h1', 0, 0, text, '', { state = 'accepted' })
        f:review({ gone }, { change = 'deleted' })
        nvim:sees('This file is deleted.')
        eq(nvim:screen(2, 6), { '▔ one', '  two', '  three', '  four', '  five' })
        eq({ #tints(nvim), nvim:lines() }, { 0, { 'one', 'two', 'three', 'four', 'five' } })
        f:review({})
        nvim:sees_no('This file is deleted.')
      end)
    end,
  },
  {
    'insertion before the first line is visible, after gg too',
    function()
      with({}, function(f, nvim)
        f:review({ hunk('h1', 0, 0, '', 'zero\nhalf\n') })
        eq(nvim:screen(1, 2), { '  zero', '  half' })
        eq(nvim:screen(3, 3)[1]:match('^▔ one%s+(.*)$'), '1/1 gy accept gz reject')
        nvim:lua("vim.api.nvim_buf_set_lines(0, -1, -1, false, vim.split(('x\\n'):rep(80), '\\n'))")
        f:review({ hunk('h1', 0, 0, '', 'zero\nhalf\n') })
        nvim:keys('G')
        nvim:sees_no('zero')
        nvim:keys('gg')
        nvim:sees('zero')
        eq(nvim:cursor(), { 1, 0 })
      end)
    end,
  },
  {
    'deletion at the end of the file, insertion after its end',
    function()
      with({}, function(f, nvim)
        f:review({ hunk('h1', 3, 5, 'four\nfive\n', ''), hunk('h2', 5, 5, '', 'six\n') })
        eq(nvim:screen(4, 6), { '▎ four', '▁ five', '  six' })
      end)
    end,
  },
  {
    'a last line without EOL is not shown as changed',
    function()
      with({ files = { ['a.txt'] = 'one\ntwo' } }, function(f, nvim)
        f:review({
          hunk('h1', 1, 1, 'two', 'two\nthree', {
            range = { start = { line = 1, character = 0 }, ['end'] = { line = 1, character = 3 } },
          }),
        })
        eq(nvim:screen(1, 3), { '  one', '▁ two', '  three' })
        eq(tints(nvim), {})
      end)
    end,
  },
  {
    'a CRLF file shows no carriage returns',
    function()
      with({ files = { ['a.txt'] = 'one\r\ntwo\r\n' } }, function(f, nvim)
        eq(nvim:lua('return vim.bo.fileformat'), 'dos')
        f:review({ hunk('h1', 1, 2, 'two\r\n', 'TWO\r\n') })
        eq(nvim:screen(1, 3), { '  one', '▎ two', '  TWO' })
      end)
    end,
  },
  {
    'long virtual lines are wrapped, tabs and wide characters counted in cells',
    function()
      with({ columns = 30 }, function(f, nvim)
        f:review({
          hunk(
            'h1',
            1,
            1,
            '',
            ('abcdefghij'):rep(4) .. '\n\tx\n漢字漢字漢字漢字漢字漢字漢字漢字\n'
          ),
        })
        eq(nvim:screen(2, 6), {
          '  abcdefghijabcdefghijabcdefgh',
          '  ijabcdefghij',
          '          x',
          '  漢字漢字漢字漢字漢字漢字漢字',
          '  漢字',
        })
        nvim:lua('vim.o.columns = 40')
        nvim:sees('abcdefghijabcdefghijabcdefghijabcdefgh')
      end)
    end,
  },
  {
    'word emphasis from the server, in its encoding',
    function()
      with({ files = { ['a.txt'] = 'x 😀 old y\n' } }, function(f, nvim)
        f:review({
          hunk('h1', 0, 1, 'x 😀 old y\n', 'x 😀 new y\n', {
            words = { old = { { 5, 8 } }, new = { { 5, 8 } } },
          }),
        })
        local marks = nvim:lua([=[
          local ns, found = require('redline.view').ns, {}
          for _, m in ipairs(vim.api.nvim_buf_get_extmarks(0, ns, 0, -1, { details = true })) do
            if m[4].hl_group and not m[4].hl_eol then table.insert(found, { m[3], m[4].end_col, m[4].hl_group }) end
            if m[4].virt_lines then
              for _, chunk in ipairs(m[4].virt_lines[1]) do
                local hl = type(chunk[2]) == 'table' and chunk[2][#chunk[2]] or chunk[2]
                if hl == 'RedlineAddText' then table.insert(found, chunk[1]) end
              end
            end
          end
          return found
        ]=])
        eq(marks, { 'new', { 7, 10, 'RedlineDeleteText' } })
        local function attr(row, col)
          return nvim:lua('return vim.fn.screenattr(...)', row, col)
        end
        nvim:lua('vim.cmd.redraw()')
        for row = 1, 2 do
          -- x, the words, the blank at the right edge
          eq(attr(row, 3) == attr(row, 5), true)
          eq(attr(row, 8) ~= attr(row, 5), true, 'emphasis on the screen, row ' .. row)
          eq(attr(row, 8) == attr(row, 10), true)
        end
        eq(attr(2, 80) == attr(2, 5), true, 'the tint goes to the edge')
      end)
    end,
  },
  {
    'new lines have the syntax colours of the buffer, treesitter or not',
    function()
      for name, group in pairs({ ['a.lua'] = '@keyword.function.lua', ['a.rs'] = 'rustKeyword' }) do
        local body = name == 'a.lua' and 'function f() end\n' or 'fn f() {}\n'
        with({
          files = { [name] = 'x\n' },
          open = name,
          init = 'autocmd FileType lua lua vim.treesitter.start()',
        }, function(f, nvim)
          f:review({ hunk('h1', 1, 1, '', body) })
          local groups = nvim:lua([=[
            local ns, found = require('redline.view').ns, {}
            for _, m in ipairs(vim.api.nvim_buf_get_extmarks(0, ns, 0, -1, { details = true })) do
              for _, chunk in ipairs(m[4].virt_lines and m[4].virt_lines[1] or {}) do
                vim.list_extend(found, type(chunk[2]) == 'table' and chunk[2] or { chunk[2] })
              end
            end
            return found
          ]=])
          local shown = vim.inspect(groups)
          local wanted = group == 'rustKeyword' and 'Keyword' or group
          eq(vim.tbl_contains(groups, 'RedlineAdd'), true, shown)
          eq(
            shown:find(wanted, 1, true) ~= nil or shown:find('Function', 1, true) ~= nil,
            true,
            shown
          )
        end)
      end
    end,
  },
  {
    'applied hunks: new text tinted, old text above; conflict and accepting look stale',
    function()
      with({}, function(f, nvim)
        f:review({
          hunk(
            'h1',
            1,
            2,
            'TWO\n',
            'two\n',
            { state = 'applied', oldText = 'was\n', newText = 'two\n' }
          ),
          hunk('h2', 3, 4, 'four\n', '4\n', { state = 'conflict' }),
        })
        eq(nvim:screen(1, 6), { '  one', '  was', '▎ two', '  three', '▎ four', '  4' })
        eq(tints(nvim), { { 1, 'RedlineAdd' }, { 3, 'RedlineStale' } })
        nvim:keys('jjj')
        nvim:sees('conflict gz reject')
        f:review({ hunk('h1', 1, 2, 'two\n', '2\n', { state = 'accepted' }) })
        eq(nvim:screen(1, 3), { 'one', 'two', 'three' })
      end)
    end,
  },
  {
    'light and dark: readable tints, also after a change of scheme',
    function()
      with({}, function(_, nvim)
        local function colours()
          return nvim:lua([=[
            local function hl(name) return vim.api.nvim_get_hl(0, { name = name, link = false }) end
            return { hl('RedlineAdd').bg, hl('RedlineDelete').bg, hl('RedlineAddText').bg, hl('Normal').fg }
          ]=])
        end
        local function light(colour)
          return bit.band(bit.rshift(colour, 16), 255) * 0.3
            + bit.band(bit.rshift(colour, 8), 255) * 0.59
            + bit.band(colour, 255) * 0.11
        end
        local seen = {}
        for _, scheme in ipairs({ 'default', 'habamax', 'morning', 'blue', 'peachpuff' }) do
          for _, background in ipairs({ 'dark', 'light' }) do
            nvim:lua('vim.o.background, vim.g.scheme = ...', background, scheme)
            nvim:lua('vim.cmd.colorscheme(vim.g.scheme)')
            local c = colours()
            for i = 1, 3 do
              local contrast =
                math.abs(light(c[i]) - light(c[4] or (background == 'dark' and 0xe0e2ea or 0)))
              eq(contrast > 60, true, scheme .. background .. i .. ' ' .. contrast)
            end
            eq(c[1] ~= c[2], true, scheme)
            seen[table.concat(c, ' ', 1, 3)] = true
          end
        end
        eq(vim.tbl_count(seen) > 4, true)
        nvim:lua("vim.api.nvim_set_hl(0, 'RedlineAdd', { bg = 0x123456 })")
        nvim:lua("require('redline.highlight').refresh()")
        eq(colours()[1], 0x123456)
      end)
    end,
  },
  {
    'typing while hunks are pending keeps them placed',
    function()
      with({}, function(f, nvim)
        f:review({ hunk('h1', 1, 2, 'two\n', 'TWO\n'), hunk('h2', 3, 3, '', 'new\n') })
        nvim:keys('ggOabove<CR>more<Esc>')
        nvim:sees('more')
        eq(
          nvim:screen(1, 7),
          { '  above', '  more', '  one', '▎ two', '  TWO', '▁ three', '  new' }
        )
        nvim:keys('4GOinside<Esc>')
        nvim:sees('inside')
        Child.eventually('tint follows', function()
          return vim.deep_equal(tints(nvim), { { 4, 'RedlineDelete' } })
        end)
        nvim:keys('u')
        nvim:sees_no('inside')
        Child.eventually('tint follows the undo', function()
          return vim.deep_equal(tints(nvim), { { 3, 'RedlineDelete' } })
        end)
        nvim:keys('4Gxp')
        eq(tints(nvim), { { 3, 'RedlineDelete' } })
      end)
    end,
  },
  {
    'a review of an older version is moved along; an older revision is refused',
    function()
      with({}, function(f, nvim)
        local version = f:version()
        f:review({ hunk('h1', 1, 2, 'two\n', 'TWO\n') })
        nvim:keys('ggOabove<Esc>')
        f:expect('textDocument/didChange')
        f:review({ hunk('h1', 1, 2, 'two\n', 'ZWEI\n') }, { version = version })
        eq(nvim:screen(1, 4), { '  above', '  one', '▎ two', '  ZWEI' })
        f:review({}, { revision = 1, unseen = true })
        f:review({ hunk('h1', 2, 3, 'two\n', 'DUE\n') }, { revision = 9 })
        eq(nvim:screen(3, 4), { '▎ two', '  DUE' })
        f:review({}, { revision = 10 })
        eq(nvim:screen(3, 4), { 'two', 'three' })
      end)
    end,
  },
  {
    'the cursor and the mode stay as they are when a review arrives',
    function()
      with({}, function(f, nvim)
        nvim:keys('jjllihey')
        f:review({ hunk('h1', 1, 2, 'two\n', 'TWO\n') })
        eq(nvim:lua('return vim.fn.mode()'), 'i')
        eq(nvim:cursor(), { 3, 5 })
        nvim:keys('!<Esc>')
        eq(nvim:lines()[3], 'thhey!ree')
      end)
    end,
  },
}
