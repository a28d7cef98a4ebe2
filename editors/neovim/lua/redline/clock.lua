--- The time that prompts are guarded by. A table, so that a test can drive it.

local M = {}

--- Monotonic, in milliseconds. Not vim.uv.now(): that stands still while a callback runs.
---@return number
function M.now()
  return vim.uv.hrtime() / 1e6
end

return M
