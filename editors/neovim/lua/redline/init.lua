--- The Lua API. `setup()` is optional.
---
---     vim.lsp.enable('redline')
---     vim.o.statusline = "%f %m%=%{v:lua.require'redline'.statusline()}"

local M = {}

--- Changes options (|redline-options|), before or after `vim.lsp.enable('redline')`. A server that
--- runs is told of new `settings`; `cmd` counts from its next start.
---@param options? table
function M.setup(options)
  local config = require('redline.config')
  config.set(options)
  vim.lsp.config('redline', { cmd = config.values.cmd })
  if package.loaded['redline.client'] then
    require('redline.client').reconfigure()
  end
end

---@param text? string nil: asks for it
---@param range? { first: integer, last: integer } rows, 0-based, end-exclusive
function M.prompt(text, range)
  require('redline.thread').start(text, range)
end

---@param scope? redline.Scope
function M.accept(scope)
  require('redline.actions').decide('accept', scope)
end

---@param scope? redline.Scope
---@param comment? string
function M.reject(scope, comment)
  require('redline.actions').decide('reject', scope, comment)
end

---@param scope? redline.Scope
function M.reopen(scope)
  require('redline.actions').reopen(scope or {})
end

---@param count? integer
function M.next(count)
  require('redline.motion').jump(count or 1)
end

---@param count? integer
function M.prev(count)
  require('redline.motion').jump(-(count or 1))
end

--- The hunks that wait, of a buffer.
---@param buf? integer
---@return redline.Hunk[]
function M.hunks(buf)
  local uri = require('redline.buffers').uri(buf or vim.api.nvim_get_current_buf())
  return vim.tbl_map(function(item)
    return item.hunk
  end, require('redline.hunks').open(uri))
end

---@return string
function M.statusline()
  return require('redline.status').line()
end

return M
