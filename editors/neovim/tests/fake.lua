--- The test's end of fake_server.py, and a child Neovim that runs it.

local Child = require('child')

local Fake = {}
Fake.__index = Fake

local count = 0

--- A child with its fake server. `files`: name → text, in a folder of its own; the first is opened.
---@param options? table for Child.new, and files, open, encoding
function Fake.new(options)
  options = options or {}
  count = count + 1
  local self = setmetatable({ inbox = {}, all = {} }, Fake)
  self.dir = vim.uv.fs_realpath(vim.fn.tempname():match('^(.*)/')) .. '/w' .. count
  vim.fn.mkdir(self.dir, 'p')
  for name, text in pairs(options.files or {}) do
    local file = assert(io.open(self.dir .. '/' .. name, 'wb'))
    file:write(text)
    file:close()
  end
  self:listen()
  local env = { FAKE_SOCKET = self.socket, FAKE_ENCODING = options.encoding }
  self.nvim = Child.new(vim.tbl_extend('force', options, {
    cmd = { 'python3', Child.here .. '/fake_server.py' },
    env = env,
    cwd = self.dir,
  }))
  if options.open then
    self.nvim:edit(self.dir .. '/' .. options.open)
    self.nvim:attached()
    self.uri = self:uri_of(options.open)
    self:expect('textDocument/didOpen')
  end
  return self
end

function Fake:listen()
  self.socket = self.dir .. '.sock'
  self.server = assert(vim.uv.new_pipe(false))
  assert(self.server:bind(self.socket))
  self.server:listen(4, function()
    self.pipe = assert(vim.uv.new_pipe(false))
    self.server:accept(self.pipe)
    local rest = ''
    self.pipe:read_start(function(_, data)
      rest = rest .. (data or '')
      for line in rest:gmatch('([^\n]*)\n') do
        local message = vim.json.decode(line, { luanil = { object = true } })
        if message.obeyed then
          self.obeyed = message.obeyed
        else
          table.insert(self.inbox, message)
          table.insert(self.all, message)
        end
      end
      rest = rest:match('[^\n]*$')
    end)
  end)
end

---@param name string
---@return string
function Fake:uri_of(name)
  return vim.uri_from_fname(self.dir .. '/' .. name)
end

local orders = 0

--- What the client sends after this call finds the order obeyed: the socket and the client's pipe
--- are two ways, and nothing but the acknowledgement orders them.
---@param order table
function Fake:tell(order)
  orders = orders + 1
  local number = orders
  self.pipe:write(vim.json.encode({ number = number, order = order }) .. '\n')
  if not order.exit then
    Child.eventually('the fake server obeys', function()
      return self.obeyed == number
    end)
  end
end

---@param method string
---@param result any
function Fake:answer(method, result)
  self:tell({ on = method, result = result })
end

---@param method string
---@param params table
function Fake:notify(method, params)
  self:tell({ method = method, params = params })
end

local next_id = 1000

--- Sends a request to the client; call the result to wait for the answer.
---@param method string
---@param params table
---@return fun(): table
function Fake:request(method, params)
  next_id = next_id + 1
  local id = 's' .. next_id
  self:tell({ id = id, method = method, params = params })
  return function()
    return Child.eventually('an answer to ' .. method, function()
      for _, message in ipairs(self.all) do
        if message.id == id and not message.method then
          return message
        end
      end
    end)
  end
end

--- Takes the next message with that method from the inbox.
---@param method string
---@return table params
function Fake:expect(method)
  return Child.eventually(method .. ' from the client', function()
    for i, message in ipairs(self.inbox) do
      if message.method == method then
        table.remove(self.inbox, i)
        return message.params or {}
      end
    end
  end)
end

--- Methods the client sent since the last look, without answers.
---@return string[]
function Fake:methods()
  local found = {}
  for _, message in ipairs(self.inbox) do
    if message.method then
      table.insert(found, message.method)
    end
  end
  self.inbox = {}
  return found
end

---@param id string
---@param first integer
---@param last integer
---@param old string
---@param new string
---@param more? table
---@return table
function Fake.hunk(id, first, last, old, new, more)
  return vim.tbl_extend('force', {
    id = id,
    state = 'pending',
    mixed = false,
    range = {
      start = { line = first, character = 0 },
      ['end'] = { line = last, character = 0 },
    },
    oldText = old,
    newText = new,
    origin = { threadId = 't1', agent = 'main', tool = 'edit_file', toolCallId = 'c1' },
  }, more or {})
end

--- Sends a review and waits until the client has taken it.
---@param hunks table[]
---@param more? table uri, revision, version, change
function Fake:review(hunks, more)
  self.revision = (self.revision or 0) + 1
  local review = vim.tbl_extend('force', {
    uri = self.uri,
    revision = self.revision,
    version = self:version(),
    change = 'modified',
    hunks = #hunks > 0 and hunks or vim.empty_dict(),
  }, more or {})
  if #hunks == 0 then
    review.hunks = {}
  end
  self:notify('redline/review', review)
  if not (more and more.unseen) then
    Child.eventually('the review is taken', function()
      return self.nvim:lua(
        [[
          local uri, revision = ...
          local file = require('redline.hunks').files[uri]
          return file ~= nil and file.review.revision == revision
        ]],
        review.uri,
        review.revision
      )
    end)
  end
end

--- The version that the server would know.
---@return integer
function Fake:version()
  return self.nvim:lua('return vim.lsp.util.buf_versions[vim.api.nvim_get_current_buf()] or 0')
end

--- Ends both. An error in a handler of the client fails the test.
function Fake:close()
  local problems = vim.tbl_filter(function(message)
    return message:find('LSP error', 1, true) ~= nil
  end, self.nvim.closed and {} or self.nvim:lua('return vim.g.messages'))
  self.nvim:close()
  if self.pipe then
    self.pipe:close()
  end
  self.server:close()
  assert(#problems == 0, table.concat(problems, '\n'))
end

--- Runs a check with a fresh editor and server.
---@param options table
---@param check fun(f: table, nvim: table)
function Fake.with(options, check)
  local f = Fake.new(options)
  local ok, problem = pcall(check, f, f.nvim)
  local clean, dirt = pcall(f.close, f)
  if not ok or not clean then
    error(table.concat({ not ok and problem or '', not clean and dirt or '' }, '\n'), 0)
  end
end

return Fake
