--- What waits for the user's word: asks, and whether a repository's rules count. In order of
--- arrival, with one of them in view. The ui is elsewhere.

local async = require('redline.async')
local card = require('redline.card')
local config = require('redline.config')

local M = {}

---@class redline.Waiting
---@field id string
---@field kind 'ask'|'trust'
---@field params redline.Ask|redline.TrustParams
---@field client_id integer
---@field card? redline.Card
---@field done fun(answer?: redline.AskAnswer|redline.TrustResult)

---@type redline.Waiting[]
M.queue = {}
--- Which of them is in view.
M.at = 1

---@return table ui with show(waiting), focus(waiting), hide(), gone(id, why)
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

---@return redline.Waiting?
function M.current()
  return M.queue[M.at]
end

---@param id string
---@return redline.Waiting?
---@return integer? index
function M.find(id)
  for i, waiting in ipairs(M.queue) do
    if waiting.id == id then
      return waiting, i
    end
  end
end

local function refresh()
  local current = M.current()
  if current then
    ui().show(current)
  else
    ui().hide()
  end
  require('redline.status').changed()
  vim.api.nvim_exec_autocmds('User', {
    pattern = 'RedlinePermission',
    modeline = false,
    data = {
      open = #M.queue,
      askId = current and current.id or nil,
      kind = current and current.kind or nil,
    },
  })
end

--- Takes them out of the queue. The one in view stays in view if it is still there.
---@param matches fun(waiting: redline.Waiting): boolean
---@return redline.Waiting[]
local function take(matches)
  local current, taken, rest = M.current(), {}, {}
  for _, waiting in ipairs(M.queue) do
    table.insert(matches(waiting) and taken or rest, waiting)
  end
  M.queue = rest
  local _, at = M.find(current and current.id or '')
  M.at = at or (M.at <= #rest and M.at or 1)
  return taken
end

--- They are over without the user's word: an ask is rejected by that, the server knows better.
---@param matches fun(waiting: redline.Waiting): boolean
---@param why string
local function withdraw(matches, why)
  local taken = take(matches)
  for _, waiting in ipairs(taken) do
    ui().gone(waiting.id, why)
  end
  if #taken > 0 then
    refresh()
  end
  for _, waiting in ipairs(taken) do
    waiting.done(nil)
  end
end

--- To be shown: without the nulls, which are values to some decoders, and with NULs that can be
--- seen, because Vim's functions take no string with one.
---@generic T
---@param value T
---@return T
local function readable(value)
  if type(value) == 'string' then
    return (value:gsub('%z', '␀'))
  elseif type(value) ~= 'table' then
    return value
  end
  local kept = {}
  for key, item in pairs(value) do
    if item ~= vim.NIL then
      kept[readable(key)] = readable(item)
    end
  end
  -- an empty object stays one
  return setmetatable(kept, getmetatable(value))
end

---@param kind 'ask'|'trust'
---@param id string
---@param params table
---@param client_id integer
---@return table?
local function wait(kind, id, params, client_id)
  return async.await(function(done)
    local waiting = { id = id, kind = kind, params = params, client_id = client_id, done = done }
    table.insert(M.queue, waiting)
    refresh()
  end)
end

--- Handler of `redline/permission`; yields until answered or withdrawn. Nil: dismissed, a reject.
---@param ask redline.Ask
---@param client_id integer
---@return redline.AskAnswer?
function M.ask(ask, client_id)
  return wait('ask', ask.askId, readable(ask), client_id)
end

--- Handler of `redline/trust`; likewise. Nil: not now.
---@param trust redline.TrustParams
---@param client_id integer
---@return redline.TrustResult?
function M.trust(trust, client_id)
  return wait('trust', trust.trustId, readable(trust), client_id)
end

---@param waiting redline.Waiting
---@param choice redline.Choice
---@param extra { comment?: string, rule?: string }
---@return redline.AskAnswer|redline.TrustResult|nil
local function answer_of(waiting, choice, extra)
  if waiting.kind == 'trust' then
    return choice.id == 'trust' and { trust = true } or nil
  elseif choice.id == 'comment' then
    return { option = 'reject', comment = extra.comment }
  end
  local rule = choice.covers and (extra.rule or choice.covers)
  return { option = choice.id, comment = extra.comment, rule = rule }
end

---@param text string
local function refuse(text)
  vim.notify('redline: ' .. text, vim.log.levels.WARN)
end

--- The user's word. One that comes late, for the second time, or that was not offered counts for
--- nothing, and the user hears so.
---@param id string
---@param choice_id string of the card's choices
---@param extra? { comment?: string, rule?: string }
---@return boolean taken
function M.answer(id, choice_id, extra)
  local waiting = M.find(id)
  if not waiting then
    refuse('that is no longer asked: your answer came too late and allowed nothing')
    return false
  end
  local choice = vim.iter(card.of(waiting).choices):find(function(it)
    return it.id == choice_id
  end)
  if not choice or choice_id == 'show' then
    refuse(('"%s" is no answer to this; it is still open'):format(choice_id))
    return false
  end
  take(function(it)
    return it.id == id
  end)
  refresh()
  waiting.done(answer_of(waiting, choice, extra or {}))
  return true
end

--- The user does not want to say anything: an ask is rejected, trust is not given.
---@param id string
function M.dismiss(id)
  if M.find(id) then
    withdraw(function(waiting)
      return waiting.id == id
    end, 'dismissed')
  end
end

---@param params redline.PermissionWithdrawn
function M.withdraw(params)
  withdraw(function(waiting)
    return waiting.id == params.askId
  end, params.reason)
end

---@param client_id integer
function M.forget(client_id)
  withdraw(function(waiting)
    return waiting.client_id == client_id
  end, 'the server ended')
end

--- Shows what waits to a user who wants to answer: `:Redline permission`.
function M.focus()
  local current = M.current()
  if not current then
    vim.notify('redline: nothing asks for permission', vim.log.levels.INFO)
    return
  end
  ui().focus(current)
end

--- The next one comes into view.
function M.later()
  if #M.queue > 1 then
    M.at = M.at % #M.queue + 1
    refresh()
  end
end

return M
