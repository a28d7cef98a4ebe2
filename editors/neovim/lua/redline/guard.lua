--- A prompt ignores the keys of its first moments: they were meant for what was there before it.

local clock = require('redline.clock')
local config = require('redline.config')

local M = {}
M.__index = M

---@class redline.Guard
---@field since number milliseconds of redline.clock

---@return redline.Guard
function M.new()
  return setmetatable({ since = clock.now() }, M)
end

--- What the user sees is new from now on.
function M:restart()
  self.since = clock.now()
end

--- Whether a key may be taken for an answer.
---@return boolean
function M:is_open()
  return clock.now() - self.since >= config.values.permission.guard_ms
end

--- The most keys that are dropped at once: the rest is for the guard.
local MOST = 1000

--- Drops what was typed before the prompt could be seen, however late the editor gets to it, and
--- counts from when it is on the screen.
function M:settle()
  if config.values.permission.guard_ms > 0 and vim.api.nvim_get_mode().mode == 'n' then
    vim.cmd.redraw()
    for _ = 1, MOST do
      if vim.fn.getchar(0) == 0 then
        break
      end
    end
  end
  self:restart()
end

return M
