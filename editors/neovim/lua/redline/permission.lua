--- The asks that wait for the user, in order. The ui is elsewhere.

local async = require('redline.async')
local config = require('redline.config')

local M = {}

---@class redline.OpenAsk
---@field ask redline.Ask
---@field client_id integer
---@field done fun(answer?: redline.AskAnswer)

---@type redline.OpenAsk[]
M.queue = {}

---@return table ui with show(open_ask, index, total), hide()
local function ui()
  if config.values.permission.ui == 'select' then
    return require('redline.permission_select')
  end
  return require('redline.permission_float')
end

---@return integer
function M.count()
  return #M.queue
end

---@return redline.OpenAsk?
function M.current()
  return M.queue[1]
end

local function refresh()
  if M.queue[1] then
    ui().show(M.queue[1], 1, #M.queue)
  else
    ui().hide()
  end
  require('redline.status').changed()
  vim.api.nvim_exec_autocmds('User', {
    pattern = 'RedlinePermission',
    modeline = false,
    data = { open = #M.queue, askId = M.queue[1] and M.queue[1].ask.askId or nil },
  })
end

---@param matches fun(open: redline.OpenAsk): boolean
---@param answer? redline.AskAnswer
local function close(matches, answer)
  local closed = {}
  for i = #M.queue, 1, -1 do
    if matches(M.queue[i]) then
      table.insert(closed, table.remove(M.queue, i))
    end
  end
  if #closed > 0 then
    refresh()
  end
  for _, open in ipairs(closed) do
    open.done(answer)
  end
end

--- Handler of `redline/permission`; yields until answered or withdrawn. Nil: dismissed, a reject.
---@param ask redline.Ask
---@param client_id integer
---@return redline.AskAnswer?
function M.ask(ask, client_id)
  return async.await(function(done)
    table.insert(M.queue, { ask = ask, client_id = client_id, done = done })
    refresh()
  end)
end

---@param ask_id string
---@param answer? redline.AskAnswer
function M.answer(ask_id, answer)
  close(function(open)
    return open.ask.askId == ask_id
  end, answer)
end

---@param params redline.PermissionWithdrawn
function M.withdraw(params)
  close(function(open)
    return open.ask.askId == params.askId
  end)
end

---@param client_id integer
function M.forget(client_id)
  close(function(open)
    return open.client_id == client_id
  end)
end

--- The answer that an option stands for, with the rule it would save.
---@param option { id: redline.OptionId, covers?: string }
---@param comment? string
---@return redline.AskAnswer
function M.answer_for(option, comment)
  return { option = option.id, comment = comment, rule = option.covers }
end

--- Shows the asks to a user who wants to answer: `:Redline permission`.
function M.focus()
  if not M.queue[1] then
    vim.notify('redline: nothing asks for permission', vim.log.levels.INFO)
    return
  end
  ui().focus(M.queue[1], 1, #M.queue)
end

--- Puts the first ask behind the others.
function M.later()
  if #M.queue > 1 then
    table.insert(M.queue, table.remove(M.queue, 1))
    refresh()
  end
end

return M
