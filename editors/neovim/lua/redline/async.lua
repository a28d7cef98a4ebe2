--- Handlers of server requests run in a coroutine and may wait for the user.

local M = {}

--- Calls `start(done)` and yields until `done(value)` was called. `done` counts once.
---@generic T
---@param start fun(done: fun(value: T))
---@return T
function M.await(start)
  local co = assert(coroutine.running(), 'not in a coroutine')
  local finished, waiting, result = false, false, nil
  start(function(value)
    if finished then
      return
    end
    finished, result = true, value
    if waiting then
      local ok, problem = coroutine.resume(co)
      if not ok then
        error(problem, 0)
      end
    end
  end)
  if not finished then
    waiting = true
    coroutine.yield()
  end
  return result
end

return M
