--- The language client: how it is started, what it declares, who handles what.

local config = require('redline.config')
local outbox = require('redline.outbox')
local protocol = require('redline.protocol')

local M = {}

M.name = 'redline'

--- What this client really does; the server falls back to plain LSP for the rest.
M.declared = {
  review = true,
  permission = true,
  trust = true,
  question = true,
  save = true,
  open = true,
  format = true,
  threadEvents = true,
  changeReason = true,
}

---@param id integer
---@return vim.lsp.Client
local function by_id(id)
  return assert(vim.lsp.get_client_by_id(id), 'the redline client has gone')
end

-- Each handler of a request answers with something that is not nil (Neovim never answers else).
---@type table<string, lsp.Handler>
local handlers = {
  ['workspace/applyEdit'] = function(_, params, ctx)
    return require('redline.edits').apply(params, by_id(ctx.client_id))
  end,
  [protocol.review] = function(_, params, ctx)
    require('redline.review').receive(params, by_id(ctx.client_id))
  end,
  [protocol.permissionWithdrawn] = function(_, params)
    require('redline.permission').withdraw(params)
  end,
  [protocol.threadEvent] = function(_, params)
    require('redline.thread').event(params)
  end,
  [protocol.permission] = function(_, params, ctx)
    return require('redline.permission').ask(params, ctx.client_id) or vim.NIL
  end,
  [protocol.trust] = function(_, params, ctx)
    return require('redline.permission').trust(params, ctx.client_id) or vim.NIL
  end,
  [protocol.question] = function(_, params)
    return require('redline.question').ask(params.questions) or vim.NIL
  end,
  [protocol.save] = function(_, params)
    return require('redline.edits').save(params)
  end,
  [protocol.open] = function(_, params, ctx)
    require('redline.motion').open(params, by_id(ctx.client_id).offset_encoding)
    return vim.NIL
  end,
  [protocol.format] = function(_, params, ctx)
    return require('redline.format').format(params, ctx.client_id)
  end,
}

---@param bufnr integer
---@param on_dir fun(dir: string)
local function root_dir(bufnr, on_dir)
  on_dir(vim.fs.root(bufnr, { '.redline', '.git' }) or vim.fn.getcwd())
end

--- The settings of `vim.lsp.config`, then those of `setup()`.
---@param given? table
---@return table
local function settings(given)
  return vim.tbl_deep_extend('keep', given or {}, { redline = config.values.settings })
end

--- Tells the servers that run what `setup()` says now: rules count from the next call on.
function M.reconfigure()
  local given = (vim.lsp.config[M.name] or {}).settings
  for _, client in ipairs(vim.lsp.get_clients({ name = M.name })) do
    local now = settings(given)
    if not vim.deep_equal(now, client.settings) then
      client.settings = now
      client:notify('workspace/didChangeConfiguration', { settings = now })
    end
  end
end

---@return vim.lsp.Config
function M.config()
  return {
    name = M.name,
    cmd = config.values.cmd,
    root_dir = root_dir,
    handlers = handlers,
    capabilities = { experimental = { redline = M.declared } },
    -- a decision must never race with typing that the server has not seen
    flags = { debounce_text_changes = 0 },
    before_init = function(params)
      local options = params.initializationOptions or vim.empty_dict()
      options.redline =
        vim.tbl_extend('force', vim.empty_dict(), config.values.settings, options.redline or {})
      params.initializationOptions = options
    end,
    on_init = function(client)
      client.settings = settings(client.settings)
      outbox.wrap(client)
    end,
    on_exit = function(code, signal, id)
      vim.schedule(function()
        M.gone(id, code, signal)
      end)
    end,
  }
end

--- Nothing of a server that ended may stay: no hunks, no asks.
---@param id integer
---@param code integer
---@param signal integer
function M.gone(id, code, signal)
  outbox.forget(id)
  require('redline.review').forget(id)
  require('redline.permission').forget(id)
  local leaving = vim.v.exiting ~= vim.NIL
  if not leaving and code ~= 0 and signal ~= 15 then
    vim.notify(
      ('redline: the server ended (exit code %d, signal %d); see :LspLog'):format(code, signal),
      vim.log.levels.ERROR
    )
  end
end

--- The client of the current buffer, else any.
---@return vim.lsp.Client?
function M.get()
  return vim.lsp.get_clients({ name = M.name, bufnr = 0 })[1]
    or vim.lsp.get_clients({ name = M.name })[1]
end

--- Starts the server, or joins it. Neovim attaches enabled clients by file type; a file without one
--- is attached from here.
---@param buf? integer nil: no document
---@return integer? client_id
function M.start(buf)
  local resolved = vim.deepcopy(vim.lsp.config[M.name])
  if type(resolved.root_dir) == 'function' then
    local dir = resolved.root_dir
    dir(buf or 0, function(found)
      resolved.root_dir = found
    end)
  end
  return vim.lsp.start(resolved, { bufnr = buf, attach = buf ~= nil })
end

--- Runs `use(client)` when a client is ready, starting one if need be.
---@param use fun(client: vim.lsp.Client)
function M.with(use)
  local buf = vim.api.nvim_get_current_buf()
  local is_file = vim.bo[buf].buftype == '' and vim.api.nvim_buf_get_name(buf) ~= ''
  local attached = vim.lsp.get_clients({ name = M.name, bufnr = buf })[1]
  local client = attached or not is_file and M.get() or nil
  if not client then
    -- the server must see this buffer: a file that it does not know as open it writes to the disk
    local id = M.start(is_file and buf or nil)
    client = id and vim.lsp.get_client_by_id(id)
  end
  if not client then
    vim.notify('redline: no server; see :checkhealth redline', vim.log.levels.ERROR)
    return
  end
  if client.initialized then
    return use(client)
  end
  local timer = assert(vim.uv.new_timer())
  timer:start(20, 20, function()
    if client.initialized or client:is_stopped() then
      timer:stop()
      timer:close()
      vim.schedule(function()
        if client.initialized then
          use(client)
        end
      end)
    end
  end)
end

--- A request whose error the user sees.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@param done? fun(result: any)
function M.request(client, method, params, done)
  -- no buffer: 0 would skip the flush of pending changes
  client:request(method, params, function(err, result)
    if err then
      vim.notify('redline: ' .. (err.message or 'the request failed'), vim.log.levels.ERROR)
    elseif done then
      done(result)
    end
  end)
end

return M
