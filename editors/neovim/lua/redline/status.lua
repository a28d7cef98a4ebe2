--- How many hunks and asks wait: for status lines.

local buffers = require('redline.buffers')
local hunks = require('redline.hunks')

local M = {}

--- A turn that runs, by thread: set by redline.thread.
---@type table<string, boolean>
M.running = {}

--- For 'statusline': `%{v:lua.require'redline'.statusline()}`. Empty if there is nothing to say.
---@return string
function M.line()
  local here = #hunks.open(buffers.uri(vim.api.nvim_get_current_buf()))
  local all, files = hunks.count()
  local asks = require('redline.permission').count()
  local parts = {}
  if next(M.running) then
    table.insert(parts, 'working')
  end
  if all > 0 then
    local inside = files > 1 and ('%d hunks (%d in %d files)'):format(here, all, files)
    table.insert(parts, inside or ('%d hunk%s'):format(all, all == 1 and '' or 's'))
  end
  if asks > 0 then
    table.insert(parts, ('%d ask%s'):format(asks, asks == 1 and '' or 's'))
  end
  return #parts > 0 and 'redline: ' .. table.concat(parts, ', ') or ''
end

--- Sets `b:redline_status` of a buffer: "3 hunks", or nothing.
---@param buf integer
function M.update(buf)
  local count = #hunks.open(buffers.uri(buf))
  vim.b[buf].redline_status = count > 0 and ('%d hunk%s'):format(count, count == 1 and '' or 's')
    or nil
end

--- Something changed that a status line may show.
function M.changed()
  vim.cmd('redrawstatus!')
end

return M
