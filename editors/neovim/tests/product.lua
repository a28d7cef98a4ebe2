--- REDLINE_BIN=/path/to/redline nvim -l editors/neovim/tests/product.lua [PATTERN]
--- The whole product in a real Neovim, with real keys. The last line is "N passed, N failed".

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
package.path = here .. '/?.lua;' .. package.path

local Child = require('child')
local eq = require('eq')

local binary = vim.env.REDLINE_BIN
if not binary or vim.fn.executable(binary) == 0 then
  io.stdout:write(
    'REDLINE_BIN must name the redline binary (cargo build --bin redline)\n0 passed, 1 failed\n'
  )
  os.exit(2)
end

local text = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n'
local folders = 0

---@param path string
---@return string
local function read(path)
  local file = assert(io.open(path, 'rb'))
  local content = file:read('*a')
  file:close()
  return content
end

---@param path string
---@param content string
local function write(path, content)
  local file = assert(io.open(path, 'wb'))
  file:write(content)
  file:close()
end

---@param id string
---@param name string
---@param input table
local function call(id, name, input)
  return { type = 'tool_use', id = id, name = name, input = input }
end

---@param id string
---@param old string
---@param new string
local function edit(id, old, new)
  local path = '${workspace}/a.txt'
  return call(id, 'edit_file', { path = path, old_str = old, new_str = new })
end

---@param words string
local function say(words)
  return { type = 'text', text = words }
end

---@class redline.Product
---@field nvim table
---@field file string
---@field dir string
---@field config string the user's own folder
local Product = {}
Product.__index = Product

--- A folder with a.txt, a server that plays `turns`, and a Neovim on a.txt.
---@param turns table[][] contents of the model's answers
---@param settings? string the folder's own settings
---@return redline.Product
function Product.new(turns, settings)
  folders = folders + 1
  local base = vim.uv.fs_realpath(vim.fn.tempname():match('^(.*)/')) .. '/p' .. folders
  local dir = base .. '/project'
  vim.fn.mkdir(dir .. '/.redline', 'p')
  vim.fn.mkdir(base .. '/state', 'p')
  vim.fn.mkdir(base .. '/config', 'p')
  write(dir .. '/a.txt', text)
  if settings then
    write(dir .. '/.redline/settings.json', settings)
  end
  local lines = {}
  for _, content in ipairs(turns) do
    table.insert(lines, vim.json.encode({ content = content }))
  end
  write(base .. '/script.jsonl', table.concat(lines, '\n') .. '\n')
  local nvim = Child.new({
    cmd = { binary, 'lsp' },
    cwd = dir,
    env = { REDLINE_STATE_DIR = base .. '/state', REDLINE_CONFIG_DIR = base .. '/config' },
    setup = {
      settings = { provider = 'script', script = base .. '/script.jsonl' },
      permission = { guard_ms = 0 },
    },
  })
  local self = { nvim = nvim, dir = dir, file = dir .. '/a.txt', config = base .. '/config' }
  setmetatable(self, Product)
  return self
end

--- `id:state` of the hunks of the current buffer, in order, without decided ones.
---@return string[]
function Product:states()
  return self.nvim:lua([[
    return vim.tbl_map(function(hunk) return hunk.state end, require('redline').hunks())
  ]])
end

---@param count integer
function Product:pending(count)
  Child.eventually(count .. ' hunks pending', function()
    local states = self:states()
    local all = vim.tbl_filter(function(state)
      return state == 'pending'
    end, states)
    return #all == count and #states == count
  end, 30000)
end

---@param expected string
function Product:buffer(expected)
  local wanted = vim.split(expected, '\n', { trimempty = true })
  local ok = vim.wait(30000, function()
    return vim.deep_equal(self.nvim:lines(), wanted)
  end, 5)
  if not ok then
    eq(self.nvim:lines(), wanted)
  end
end

---@param expected string
function Product:disk(expected)
  local ok = vim.wait(30000, function()
    return read(self.file) == expected
  end, 5)
  if not ok then
    eq(read(self.file), expected)
  end
end

--- The user's messages of the thread, as the model got them.
---@return string
function Product:told()
  return self.nvim:lua([[
    local thread = require('redline.thread').current
    local client = vim.lsp.get_clients({ name = 'redline' })[1]
    local answer = client:request_sync('redline/thread', { threadId = thread }, 20000)
    return vim.json.encode(answer and answer.result or answer or 'no answer')
  ]])
end

---@param words string
function Product:prompt(words)
  local before = #self.nvim:lua('return vim.g.messages')
  self.nvim:keys(':Redline prompt ' .. words .. '<CR>')
  return function()
    Child.eventually('the turn ends', function()
      return #self.nvim:lua('return vim.g.messages') > before
        and not self.nvim:lua("return require('redline').statusline()"):find('working')
    end, 30000)
  end
end

---@param part string plain
function Product:tells(part)
  local told = self:told()
  if not told:find(part, 1, true) then
    error(('the agent was not told %s:\n%s'):format(part, told), 2)
  end
end

local tests = {
  {
    'prompt, accept one, reject one with a comment; buffer, disk, next message',
    function(p)
      p:prompt('change it')()
      p:pending(2)
      p:buffer(text)
      p:disk(text)
      p.nvim:sees('TWO')
      p.nvim:keys('gg]xgy')
      local accepted = text:gsub('two', 'TWO')
      p:buffer(accepted)
      p:disk(accepted)
      p:pending(1)
      p.nvim:keys(']xgbnot so loud<CR>')
      p:pending(0)
      p.nvim:sees_no('SEVEN')
      p:buffer(accepted)
      p:disk(accepted)
      eq(p.nvim:lua('return vim.bo.modified'), false)
      p:prompt('go on')()
      p:tells('accepted')
      p:tells('rejected')
      p:tells('not so loud')
    end,
    {
      { say('Two changes.'), edit('e1', 'two', 'TWO'), edit('e2', 'seven', 'SEVEN') },
      { say('Proposed.') },
      { say('I see.') },
    },
  },
  {
    'an ask is shown, answered once, and the command has run',
    function(p)
      local ended = p:prompt('run it')
      p.nvim:sees('echo hello > made.txt')
      eq(vim.uv.fs_stat(p.dir .. '/made.txt'), nil)
      eq(p.nvim:lua("return vim.fn.expand('%:t')"), 'a.txt')
      p.nvim:keys(':Redline permission<CR>o')
      ended()
      eq(read(p.dir .. '/made.txt'), 'hello\n')
      eq(p.nvim:lua("return vim.fn.expand('%:t')"), 'a.txt')
    end,
    { { call('b1', 'Bash', { cmd = 'echo hello > made.txt' }) }, { say('Done.') } },
  },
  {
    'a command rejected with a comment has not run, and the agent knows why',
    function(p)
      local ended = p:prompt('run it')
      p.nvim:sees('echo hello > made.txt')
      p.nvim:keys(':Redline permission<CR>cuse make<CR>')
      ended()
      eq(vim.uv.fs_stat(p.dir .. '/made.txt'), nil)
      p:tells('use make')
    end,
    { { call('b1', 'Bash', { cmd = 'echo hello > made.txt' }) }, { say('All right.') } },
  },
  {
    'typing above, beside and inside hunks that wait; nothing typed is lost',
    function(p)
      p:prompt('change it')()
      p:pending(2)
      p.nvim:keys('ggOabove<Esc>')
      p:buffer('above\n' .. text)
      p.nvim:keys('7Gomine<Esc>')
      local typed = 'above\none\ntwo\nthree\nfour\nfive\nsix\nmine\nseven\neight\n'
      p:buffer(typed)
      p.nvim:sees('mine')
      p:pending(2)
      p.nvim:keys('gg]xgy')
      p:buffer((typed:gsub('two', 'TWO')))
      p:pending(1)
      p.nvim:keys(']xgz')
      p:pending(0)
      p:buffer((typed:gsub('two', 'TWO')))
    end,
    { { edit('e1', 'two', 'TWO'), edit('e2', 'six\nseven', 'SIX\nSEVEN') }, { say('Proposed.') } },
  },
  {
    'typing into a hunk marks it mixed, and accepting keeps what was typed',
    function(p)
      p:prompt('change it')()
      p:pending(1)
      p.nvim:keys('2Gomine<Esc>')
      Child.eventually('mixed', function()
        return p.nvim:lua("return (require('redline').hunks()[1] or {}).mixed") == true
      end)
      p.nvim:keys('2Ggy')
      p:pending(0)
      Child.eventually('mine is kept, the old text gone', function()
        local lines = p.nvim:lines()
        return vim.tbl_contains(lines, 'mine') and not vim.tbl_contains(lines, 'two')
      end)
    end,
    { { edit('e1', 'two\nthree\n', 'zwei\ndrei\n') }, { say('Proposed.') } },
  },
  {
    'undo of an accept makes it pending again, redo accepts it',
    function(p)
      p:prompt('change it')()
      p:pending(2)
      p.nvim:keys('gg]xgy')
      local accepted = text:gsub('two', 'TWO')
      p:buffer(accepted)
      p:pending(1)
      p.nvim:keys('u')
      p:buffer(text)
      p:pending(2)
      p.nvim:keys('<C-r>')
      p:buffer(accepted)
      p:pending(1)
      p.nvim:keys('u')
      p:pending(2)
      p.nvim:keys(':Redline accept_all<CR>')
      p:buffer((accepted:gsub('seven', 'SEVEN')))
      p:pending(0)
      p.nvim:keys('u')
      p:buffer(text)
      p:pending(2)
    end,
    { { edit('e1', 'two', 'TWO'), edit('e2', 'seven', 'SEVEN') }, { say('Proposed.') } },
  },
  {
    'back to before a turn: what was typed stays, and the way back is undone',
    function(p)
      for _ = 1, 2 do
        p:prompt('change it')()
        p:pending(1)
        p.nvim:keys(':Redline accept_all<CR>')
        p:pending(0)
      end
      local changed = text:gsub('two', 'TWO'):gsub('seven', 'SEVEN')
      p:buffer(changed)
      p.nvim:keys('ggOmine<Esc>:Redline rewind 2<CR>')
      p.nvim:hears('went back to before turn 2: 1 file changed')
      p:buffer('mine\n' .. text:gsub('two', 'TWO'))
      p.nvim:keys(':Redline rewind 1<CR>')
      p.nvim:hears('went back to before turn 1: 1 file changed')
      p:buffer('mine\n' .. text)
      p.nvim:keys(':Redline! reject_all<CR>')
      p:buffer('mine\n' .. changed)
    end,
    {
      { edit('e1', 'two', 'TWO') },
      { say('Proposed.') },
      { edit('e2', 'seven', 'SEVEN') },
      { say('Proposed.') },
    },
  },
  {
    'reopen after a reject; edit before accepting',
    function(p)
      p:prompt('change it')()
      p:pending(1)
      p.nvim:keys('gg]xgz')
      p:pending(0)
      p.nvim:keys(':Redline reopen<CR>')
      p:pending(1)
      p.nvim:keys('gl')
      p.nvim:sees('Edit, then accept')
      p.nvim:keys('A!<Esc>:w<CR>')
      p:buffer((text:gsub('two', 'TWO!')))
      p:disk((text:gsub('two', 'TWO!')))
    end,
    { { edit('e1', 'two', 'TWO') }, { say('Proposed.') } },
  },
  {
    'a new file: shown, not on disk, then accepted',
    function(p)
      p:prompt('make it')()
      eq(vim.uv.fs_stat(p.dir .. '/new.txt'), nil)
      p.nvim:keys(']x')
      p.nvim:sees('fresh')
      eq(p.nvim:lua('return vim.api.nvim_buf_get_name(0)'), 'redline://' .. p.dir .. '/new.txt')
      p.nvim:keys('gy')
      Child.eventually('the file is there', function()
        return vim.uv.fs_stat(p.dir .. '/new.txt')
      end)
      Child.eventually('and shown', function()
        return p.nvim:lua('return vim.api.nvim_buf_get_name(0)') == p.dir .. '/new.txt'
      end)
      eq(read(p.dir .. '/new.txt'), 'fresh\n')
    end,
    {
      { call('c1', 'create_file', { path = '${workspace}/new.txt', content = 'fresh\n' }) },
      { say('Proposed.') },
    },
  },
}

table.insert(tests, {
  'a deleted file: red as a whole, there until it is accepted, brought back by reopen',
  function(p)
    local function is_there(want)
      Child.eventually(want and 'the file is there' or 'the file is gone', function()
        return (vim.uv.fs_stat(p.file) ~= nil) == want
      end, 30000)
    end
    p:prompt('tidy up')()
    p:pending(1)
    p:buffer(text)
    p.nvim:sees('This file would be deleted.')
    p.nvim:sees('gy delete the file')
    p.nvim:keys(':Redline qflist<CR>')
    p.nvim:sees('1/1 -8 +0  deletes the file')
    p.nvim:keys(':cclose<CR>gz')
    p:pending(0)
    p.nvim:sees_no('This file would be deleted.')
    is_there(true)
    p.nvim:keys(':Redline reopen<CR>')
    p:pending(1)
    p.nvim:keys('5Ggy')
    is_there(false)
    p.nvim:sees('This file is deleted.')
    p:buffer(text)
    p.nvim:keys(':checktime<CR>')
    p.nvim:sees_no('E211')
    p.nvim:keys(':Redline reopen<CR>')
    is_there(true)
    p:disk(text)
    p:pending(1)
    p.nvim:keys('GA mine<Esc>')
    p.nvim:sees('You typed in this file since')
    p.nvim:keys('gy')
    p.nvim:hears('the file has changed since its deletion was proposed')
    is_there(true)
  end,
  {
    { call('d1', 'delete_file', { path = '${workspace}/a.txt' }) },
    { say('Proposed.') },
  },
})

table.insert(tests, {
  'always in this folder, by a rule that the user has edited; taken back again',
  function(p)
    local function made(name)
      return vim.uv.fs_stat(p.dir .. '/' .. name) ~= nil
    end
    local ended = p:prompt('run it')
    p.nvim:sees('mkdir one')
    p.nvim:sees("↳ allow Bash --cmd 'mkdir one'")
    p.nvim:keys(':Redline permission<CR>fccpermit Bash<Esc><CR>')
    -- the server takes no rule that it cannot read: it asks again, and nothing has run
    p.nvim:sees('Nothing was granted')
    eq(made('one'), false)
    p.nvim:keys(":Redline permission<CR>fccallow Bash --cmd 'mkdir *'<Esc><CR>")
    ended()
    eq(made('one'), true)
    p:prompt('go on')()
    eq(made('two'), true)
    local saved = vim.json.decode(read(p.config .. '/grants.json'))
    eq(vim.json.encode(saved):find("mkdir *'", 1, true) ~= nil, true)
    p.nvim:lua([[
      vim.ui.select = function(items, options, choose)
        vim.g.items = vim.tbl_map(options.format_item, items)
        choose(items[1])
      end
    ]])
    p.nvim:keys(':Redline grants<CR>')
    p.nvim:hears("taken back: allow Bash --cmd 'mkdir *'")
    eq(p.nvim:lua('return vim.g.items'), { 'in ' .. p.dir .. "  allow Bash --cmd 'mkdir *'" })
    ended = p:prompt('once more')
    p.nvim:sees('mkdir three')
    p.nvim:keys(':Redline permission<CR>r')
    ended()
    eq(made('three'), false)
  end,
  {
    { call('b1', 'Bash', { cmd = 'mkdir one' }) },
    { say('Done.') },
    { call('b2', 'Bash', { cmd = 'mkdir two' }) },
    { say('Done.') },
    { call('b3', 'Bash', { cmd = 'mkdir three' }) },
    { say('Done.') },
  },
})

table.insert(tests, {
  "the repository's own rules count once they are trusted, until they change",
  function(p)
    p.nvim:sees('own rules count?')
    p.nvim:sees("allow Bash --cmd 'mkdir *'")
    eq(p.nvim:lua("return vim.fn.expand('%:t')"), 'a.txt')
    p.nvim:keys(':Redline permission<CR>n')
    p.nvim:sees_no('own rules count?')
    local ended = p:prompt('run it')
    p.nvim:sees('mkdir one')
    p.nvim:keys(':Redline permission<CR>r')
    ended()
    p.nvim:keys(':Redline trust<CR>')
    p.nvim:sees('own rules count?')
    p.nvim:keys(':Redline permission<CR>t')
    Child.eventually('the trust is kept', function()
      return vim.uv.fs_stat(p.config .. '/trust.json')
    end)
    p:prompt('go on')()
    eq(vim.uv.fs_stat(p.dir .. '/two') ~= nil, true)
    write(
      p.dir .. '/.redline/settings.json',
      '{"redline.permissions": [{"tool": "*", "action": "allow"}]}'
    )
    ended = p:prompt('once more')
    -- the ask and the question, in whichever order they came
    Child.eventually('both wait', function()
      return p.nvim:lua("return require('redline.permission').count()") == 2
    end)
    local keys = { ask = 'r', trust = 'n' }
    p.nvim:keys(':Redline permission<CR>')
    for _ = 1, 2 do
      local current = p.nvim:lua([[
        local it = require('redline.permission').current()
        return { it.kind, it.params.changed }
      ]])
      eq(current[2], current[1] == 'trust' or nil)
      p.nvim:keys(keys[current[1]])
    end
    ended()
    eq(vim.uv.fs_stat(p.dir .. '/three'), nil)
  end,
  {
    { call('b1', 'Bash', { cmd = 'mkdir one' }) },
    { call('b2', 'Bash', { cmd = 'mkdir two' }) },
    { say('Done.') },
    { call('b3', 'Bash', { cmd = 'mkdir three' }) },
    { say('Done.') },
  },
  [[{"redline.permissions": [{"tool": "Bash", "matches": {"cmd": "mkdir *"}, "action": "allow"}]}]],
})

table.insert(tests, {
  "rules in the editor's settings count for the next call, and so does taking them away",
  function(p)
    local function rules(list)
      p.nvim:lua(
        [[
          local config = require('redline.config').values
          require('redline').setup {
            cmd = config.cmd,
            permission = { guard_ms = 0 },
            settings = vim.tbl_extend('force', config.settings, { permissions = ... }),
          }
        ]],
        list
      )
    end
    rules({ { tool = 'Bash', matches = { cmd = 'mkdir *' }, action = 'allow' } })
    p:prompt('run it')()
    eq(vim.uv.fs_stat(p.dir .. '/one') ~= nil, true)
    rules({})
    local ended = p:prompt('run it again')
    p.nvim:sees('mkdir two')
    p.nvim:keys(':Redline permission<CR>r')
    ended()
    eq(vim.uv.fs_stat(p.dir .. '/two'), nil)
  end,
  {
    { call('b1', 'Bash', { cmd = 'mkdir one' }) },
    { say('Done.') },
    { call('b2', 'Bash', { cmd = 'mkdir two' }) },
  },
})

local passed, failed = 0, 0
for _, test in ipairs(tests) do
  if not _G.arg[1] or test[1]:find(_G.arg[1]) then
    local made, p = pcall(Product.new, test[3], test[4])
    local ok, problem = made, p
    if made then
      ok, problem = pcall(function()
        p.nvim:edit(p.file)
        p.nvim:attached()
        test[2](p)
      end)
      if not ok then
        local shown, screen = pcall(p.nvim.screen, p.nvim, 1, 24)
        problem = problem .. (shown and '\n' .. table.concat(screen, '\n') or '')
        local heard, messages = pcall(p.nvim.lua, p.nvim, 'return vim.g.messages')
        problem = problem .. (heard and '\nmessages: ' .. vim.inspect(messages) or '')
      end
      p.nvim:close()
    end
    passed, failed = passed + (ok and 1 or 0), failed + (ok and 0 or 1)
    if not ok then
      io.stdout:write(('FAILED %s\n%s\n\n'):format(test[1], problem))
    end
  end
end
io.stdout:write(('%d passed, %d failed\n'):format(passed, failed))
os.exit(failed == 0 and passed > 0 and 0 or 1)
