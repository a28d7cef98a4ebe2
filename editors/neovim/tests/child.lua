--- Drives a child Neovim with real keys: `require('child').new{…}`.

local Child = {}
Child.__index = Child

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
Child.root = vim.fn.fnamemodify(here, ':h')
Child.here = here

--- Until `probe()` is truthy; its value. Fails after `limit` milliseconds.
---@generic T
---@param what string
---@param probe fun(): T
---@param limit? integer
---@return T
function Child.eventually(what, probe, limit)
  local value
  vim.wait(limit or 20000, function()
    value = probe()
    return value and true or false
  end, 3)
  if not value then
    error('never: ' .. what, 2)
  end
  return value
end

---@param options? { cmd?: string[], env?: table<string, string>, columns?: integer, lines?: integer,
---  setup?: table, cwd?: string, init?: string }
function Child.new(options)
  options = options or {}
  local self = setmetatable({}, Child)
  local argv = { vim.v.progpath, '--embed', '--headless', '--clean', '-i', 'NONE', '-n' }
  self.channel = vim.fn.jobstart(argv, {
    rpc = true,
    cwd = options.cwd,
    env = options.env,
    clear_env = false,
  })
  self:lua(
    [[
      local root, options = ...
      vim.o.columns, vim.o.lines = options.columns or 80, options.lines or 24
      vim.o.shortmess = vim.o.shortmess .. 'IcF'
      vim.o.more = false
      vim.o.termguicolors = true
      vim.o.hidden = true
      vim.g.messages = {}
      vim.notify = function(text)
        local all = vim.g.messages
        table.insert(all, text)
        vim.g.messages = all
      end
      vim.lsp.set_log_level('error')
      vim.api.nvim_create_autocmd('LspAttach', {
        callback = function(event)
          -- an error in a handler is a message, too: a test sees it
          local client = vim.lsp.get_client_by_id(event.data.client_id)
          client.write_error = function(_, _, err) vim.notify('LSP error: ' .. vim.inspect(err)) end
        end,
      })
      vim.opt.runtimepath:append(root)
      vim.cmd('syntax on')
      if options.init then vim.cmd(options.init) end
      vim.cmd('runtime! plugin/redline.lua')
      require('redline').setup(vim.tbl_extend('force', { cmd = options.cmd }, options.setup or {}))
      vim.lsp.enable('redline')
    ]],
    Child.root,
    vim.tbl_extend('force', vim.empty_dict(), {
      columns = options.columns,
      lines = options.lines,
      init = options.init,
      setup = options.setup,
      cmd = options.cmd,
    })
  )
  return self
end

---@param code string
---@return any
function Child:lua(code, ...)
  return vim.rpcrequest(self.channel, 'nvim_exec_lua', code, { ... })
end

--- Types keys, `<CR>` and the like included.
---@param keys string
function Child:keys(keys)
  local rest = keys
  while rest ~= '' do
    local taken = vim.rpcrequest(self.channel, 'nvim_input', rest)
    rest = rest:sub(taken + 1)
  end
  -- the editor has taken all keys when it has nothing left to do but wait
  Child.eventually('keys were taken: ' .. keys, function()
    return vim.rpcrequest(self.channel, 'nvim_get_mode').blocking
      or self:lua('return vim.fn.getchar(1) == 0')
  end)
end

---@param path string
function Child:edit(path)
  self:lua('vim.cmd.edit(vim.fn.fnameescape(...))', path)
end

---@return string[]
function Child:lines()
  return self:lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)')
end

---@return integer[] row (1-based) and byte column (0-based)
function Child:cursor()
  return self:lua('return vim.api.nvim_win_get_cursor(0)')
end

--- Rows of the screen, without blanks at their ends.
---@param from integer
---@param to integer
---@return string[]
function Child:screen(from, to)
  return self:lua(
    [[
      local from, to = ...
      vim.cmd.redraw()
      local rows = {}
      for row = from, to do
        local cells = {}
        for col = 1, vim.o.columns do
          table.insert(cells, vim.fn.screenstring(row, col))
        end
        table.insert(rows, (table.concat(cells):gsub('%s+$', '')))
      end
      return rows
    ]],
    from,
    to
  )
end

--- Waits for a text on the screen.
---@param text string plain
function Child:sees(text)
  return Child.eventually('on the screen: ' .. text, function()
    return table.concat(self:screen(1, self:lua('return vim.o.lines')), '\n'):find(text, 1, true)
  end)
end

---@param text string plain
function Child:sees_no(text)
  return Child.eventually('gone from the screen: ' .. text, function()
    return not table
      .concat(self:screen(1, self:lua('return vim.o.lines')), '\n')
      :find(text, 1, true)
  end)
end

--- Waits for a message.
---@param text string plain
function Child:hears(text)
  return Child.eventually('a message: ' .. text, function()
    for _, message in ipairs(self:lua('return vim.g.messages')) do
      if message:find(text, 1, true) then
        return message
      end
    end
  end)
end

--- Waits until the client is attached to the current buffer.
function Child:attached()
  return Child.eventually('the server is attached', function()
    return self:lua([[
      local client = vim.lsp.get_clients({ name = 'redline', bufnr = 0 })[1]
      return client ~= nil and client.initialized == true
    ]])
  end)
end

function Child:close()
  if not self.closed then
    self.closed = true
    pcall(vim.rpcnotify, self.channel, 'nvim_command', 'qall!')
    if vim.fn.jobwait({ self.channel }, 3000)[1] == -1 then
      vim.fn.jobstop(self.channel)
    end
  end
end

return Child
