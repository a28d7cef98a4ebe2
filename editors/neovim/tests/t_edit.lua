local Child = require('child')
local Fake = require('fake')
local eq = require('eq')
local hunk = Fake.hunk

local text = 'one\ntwo\nthree\nfour\nfive\n'

---@param check fun(f: table, nvim: table)
---@param options? table
local function with(check, options)
  local all = { files = { ['a.txt'] = text }, open = 'a.txt' }
  Fake.with(vim.tbl_extend('force', all, options or {}), check)
end

---@param l1 integer
---@param c1 integer
---@param l2 integer
---@param c2 integer
---@param new string
local function edit(l1, c1, l2, c2, new)
  return {
    range = {
      start = { line = l1, character = c1 },
      ['end'] = { line = l2, character = c2 },
    },
    newText = new,
  }
end

---@param f table
---@param edits table[]
---@param version? integer
---@return table result
local function apply(f, edits, version)
  local answer = f:request('workspace/applyEdit', {
    edit = {
      documentChanges = {
        { textDocument = { uri = f.uri, version = version or f:version() }, edits = edits },
      },
    },
  })
  return answer().result
end

--- The text that a server would have after the changes it was told of.
---@param before string
---@param params table of didChange
---@return string
local function follow(before, params)
  for _, change in ipairs(params.contentChanges) do
    local starts, at = { 0 }, 1
    while true do
      local nl = before:find('\n', at, true)
      if not nl then
        break
      end
      table.insert(starts, nl)
      at = nl + 1
    end
    local function offset(pos)
      local from = starts[pos.line + 1] or #before
      local line = before:sub(from + 1):match('^[^\n]*')
      return from + vim.str_byteindex(line, 'utf-16', pos.character, false)
    end
    before = before:sub(1, offset(change.range.start))
      .. change.text
      .. before:sub(offset(change.range['end']) + 1)
  end
  return before
end

--- Applies edits to a file; buffer, server and disk must all have `expected`.
---@param before string
---@param edits table[]
---@param expected string
local function check(before, edits, expected)
  with(function(f, nvim)
    f.inbox = {}
    eq(apply(f, edits), { applied = true })
    eq(follow(before, f:expect('textDocument/didChange')), expected, 'server')
    eq(vim.tbl_contains(f:methods(), 'textDocument/didChange'), false, 'one didChange')
    eq(f:request('redline/save', { uris = { f.uri } })().result, { saved = { f.uri } })
    local file = assert(io.open(f.dir .. '/a.txt', 'rb'))
    eq(file:read('*a'), expected, 'disk')
    file:close()
    nvim:keys('u')
    if before:sub(-1) == expected:sub(-1) then
      local full = nvim:lua('return vim.lsp._buf_get_full_text(0)')
      eq(full, before, 'undo')
    end
  end, { files = { ['a.txt'] = before } })
end

return {
  {
    'a stale version changes nothing and says so, version 0 too',
    function()
      with(function(f, nvim)
        eq(f:version(), 0)
        nvim:keys('x')
        local result = apply(f, { edit(0, 0, 0, 1, 'X') }, 0)
        eq(result.applied, false)
        eq(result.failureReason:find('the edit is for 0', 1, true) ~= nil, true)
        eq(nvim:lines()[1], 'ne')
        eq(apply(f, { edit(0, 0, 0, 1, 'X') }, 9999).applied, false)
        eq(apply(f, { edit(0, 0, 0, 1, 'X') }).applied, true)
        eq(nvim:lines()[1], 'Xe')
      end)
    end,
  },
  {
    'all documents or none; a file that is not open is refused',
    function()
      with(function(f, nvim)
        local answer = f:request('workspace/applyEdit', {
          edit = {
            documentChanges = {
              { textDocument = { uri = f.uri, version = 0 }, edits = { edit(0, 0, 0, 1, 'X') } },
              {
                textDocument = { uri = f:uri_of('b'), version = 0 },
                edits = { edit(0, 0, 0, 0, 'X') },
              },
            },
          },
        })
        eq(answer().result.applied, false)
        eq(nvim:lines()[1], 'one')
      end)
    end,
  },
  {
    'several edits are one undo step and one didChange, apart from typing before and after',
    function()
      with(function(f, nvim)
        nvim:keys('ggIa<Esc>')
        nvim:keys('3Gll')
        f.inbox = {}
        eq(
          apply(f, { edit(0, 0, 0, 0, 'zero\n'), edit(1, 0, 1, 3, 'TWO'), edit(4, 0, 5, 0, '') }).applied,
          true
        )
        eq(#f:expect('textDocument/didChange').contentChanges, 3)
        eq(nvim:lines(), { 'zero', 'aone', 'TWO', 'three', 'four' })
        eq(nvim:cursor(), { 4, 2 })
        nvim:keys('GIb<Esc>uu')
        eq(nvim:lines(), { 'aone', 'two', 'three', 'four', 'five' })
        nvim:keys('<C-r>')
        eq(nvim:lines(), { 'zero', 'aone', 'TWO', 'three', 'four' })
        nvim:keys('uu')
        eq(nvim:lines()[1], 'one')
      end)
    end,
  },
  {
    'undo and redo of an accept are reported before the one didChange that they make',
    function()
      with(function(f, nvim)
        f:review({ hunk('h1', 1, 2, 'two\n', 'TWO\n') })
        eq(apply(f, { edit(1, 0, 1, 3, 'TWO'), edit(3, 0, 3, 4, '4') }).applied, true)
        f:review({ hunk('h1', 1, 2, 'two\n', 'TWO\n', { state = 'accepted' }) })
        for _, step in ipairs({
          { 'u', 'undo' },
          { '<C-r>', 'redo' },
          { ':undo 0<CR>', 'undo' },
          { 'g+', 'redo' },
        }) do
          f.inbox = {}
          nvim:keys(step[1])
          local reason = f:expect('redline/changeReason')
          local change = f:expect('textDocument/didChange')
          eq(
            reason,
            { uri = f.uri, version = change.textDocument.version, reason = step[2] },
            step[1]
          )
          eq(#change.contentChanges, 2)
          local order = {}
          for _, message in ipairs(f.all) do
            table.insert(order, message.method)
          end
          eq(
            { order[#order - 1], order[#order] },
            { 'redline/changeReason', 'textDocument/didChange' }
          )
        end
        f.inbox = {}
        nvim:keys('x')
        f:expect('textDocument/didChange')
        eq(f:methods(), {})
      end)
    end,
  },
  {
    'edits in the middle, at both ends, CRLF, no EOL',
    function()
      check('a\nb\nc\n', { edit(1, 0, 2, 0, 'B\nB2\n') }, 'a\nB\nB2\nc\n')
      check('a\nb\nc\n', { edit(0, 0, 0, 0, 'z\n') }, 'z\na\nb\nc\n')
      check('a\nb\nc\n', { edit(3, 0, 3, 0, 'd\n') }, 'a\nb\nc\nd\n')
      check('a\nb\nc\n', { edit(1, 0, 3, 0, '') }, 'a\n')
      check('a\nb\nc\n', { edit(2, 0, 3, 0, 'C\nD\n') }, 'a\nb\nC\nD\n')
      check('a\nb\nc\n', { edit(2, 0, 3, 0, 'C') }, 'a\nb\nC')
      check('a\nb', { edit(1, 1, 1, 1, '\nc\n') }, 'a\nb\nc\n')
      check('a\r\nb\r\n', { edit(1, 0, 1, 1, 'B\r\nC') }, 'a\r\nB\r\nC\r\n')
      check('a\r\nb\r\n', { edit(0, 1, 1, 0, '\r\nx\r\n') }, 'a\r\nx\r\nb\r\n')
      check('😀 a\n', { edit(0, 3, 0, 4, 'b😀') }, '😀 b😀\n')
    end,
  },
  {
    "a no-EOL file keeps having none in the server's eyes",
    function()
      with(function(f)
        f.inbox = {}
        eq(apply(f, { edit(1, 1, 1, 1, '\nc') }), { applied = true })
        eq(follow('a\nb', f:expect('textDocument/didChange')), 'a\nb\nc')
      end, { files = { ['a.txt'] = 'a\nb' } })
    end,
  },
  {
    'save runs autocommands, does not ask, leaves other buffers alone',
    function()
      with(function(f, nvim)
        nvim:lua("vim.cmd('autocmd BufWritePre a.txt let g:wrote = 1')")
        nvim:keys('x')
        eq(
          f:request('redline/save', { uris = { f.uri, f:uri_of('b.txt') } })().result,
          { saved = { f.uri } }
        )
        eq(nvim:lua('return vim.g.wrote'), 1)
        nvim:keys('x')
        vim.uv.fs_utime(f.dir .. '/a.txt', os.time() + 100, os.time() + 100)
        local file = assert(io.open(f.dir .. '/a.txt', 'a'))
        file:write('outside\n')
        file:close()
        vim.uv.fs_utime(f.dir .. '/a.txt', os.time() + 200, os.time() + 200)
        eq(f:request('redline/save', { uris = { f.uri } })().result, { saved = {} })
        nvim:hears('changed on disk; not saved')
        eq(nvim:lua('return vim.bo.modified'), true)
      end)
    end,
  },
  {
    'redline/open goes there and can be gone back from; a preview leaves the focus',
    function()
      with(function(f, nvim)
        local range = edit(2, 1, 2, 1, '').range
        eq(f:request('redline/open', { uri = f:uri_of('b.txt'), range = range })().error, nil)
        eq(nvim:lua("return vim.fn.expand('%:t')"), 'b.txt')
        eq(nvim:cursor(), { 3, 1 })
        nvim:keys('<C-o>')
        eq(nvim:lua("return vim.fn.expand('%:t')"), 'a.txt')
        f:request('redline/open', { uri = f:uri_of('b.txt'), preview = true })()
        eq(nvim:lua("return vim.fn.expand('%:t')"), 'a.txt')
      end, { files = { ['a.txt'] = text, ['b.txt'] = text } })
    end,
  },
  {
    'redline/format has the edits of a language server and leaves the buffer alone',
    function()
      with(function(f, nvim)
        local none = f:request('redline/format', { uri = f.uri, preview = true })().result
        eq(none, { formatted = false })
        nvim:lua([[
          local formatted = {
            range = {
              start = { line = 0, character = 2 },
              ['end'] = { line = 0, character = 4 },
            },
            newText = ' = ',
          }
          local answers = {
            initialize = {
              capabilities = { documentFormattingProvider = true, positionEncoding = 'utf-8' },
            },
            ['textDocument/formatting'] = { formatted },
          }
          vim.lsp.start({
            name = 'formatter',
            cmd = function()
              return {
                request = function(method, _, callback)
                  callback(nil, answers[method] or vim.NIL)
                  return true, 1
                end,
                notify = function() return true end,
                is_closing = function() return false end,
                terminate = function() end,
              }
            end,
          })
        ]])
        Child.eventually('attached', function()
          return nvim:lua("return #vim.lsp.get_clients({ name = 'formatter', bufnr = 0 }) > 0")
        end)
        local result = f:request('redline/format', { uri = f.uri, preview = true })().result
        eq(result.formatted, true)
        eq(result.version, f:version())
        eq(result.edits, { edit(0, 0, 2, 0, 'é = b\nc\n') })
        eq(nvim:lines(), { 'é  b', 'c' })
        f:request('redline/format', { uri = f:uri_of('other'), preview = true })()
      end, { files = { ['a.txt'] = 'é  b\nc\n' } })
    end,
  },
  {
    'a file without a file type is attached too',
    function()
      with(function(f)
        f.nvim:edit(f.dir .. '/strange')
        f.nvim:attached()
        Child.eventually('opened', function()
          return vim.endswith(f:expect('textDocument/didOpen').textDocument.uri, '/strange')
        end)
      end, { files = { ['a.txt'] = text, strange = 'x\n' } })
    end,
  },
}
