--- Back to before a turn of the agent.

local client = require('redline.client')
local protocol = require('redline.protocol')

local M = {}

--- How long completion waits for the server, in milliseconds.
local PATIENCE = 1000

---@param uri string
---@return string
local function name(uri)
  return vim.fn.fnamemodify(vim.uri_to_fname(uri), ':.')
end

---@param count integer
---@param what string
---@return string
local function counted(count, what)
  return ('%d %s%s'):format(count, what, count == 1 and '' or 's')
end

--- What was done, and what was not.
---@param turn integer
---@param result redline.RewindResult
---@return string
function M.sentence(turn, result)
  local done = {}
  if #result.files > 0 then
    table.insert(done, counted(#result.files, 'file') .. ' changed')
  end
  if result.withdrawn > 0 then
    table.insert(done, counted(result.withdrawn, 'proposal') .. ' withdrawn')
  end
  local start = 'went back to before turn %d: ' .. table.concat(done, ', ')
  if #done == 0 then
    start = #result.kept > 0 and 'nothing went back to before turn %d'
      or 'all is as it was before turn %d already'
  end
  local parts = { start:format(turn) }
  for _, kept in ipairs(result.kept) do
    table.insert(parts, name(kept.uri) .. ': ' .. kept.reason)
  end
  return table.concat(parts, '; ')
end

--- "Turn 3 · a.py, b.py"
---@param turn { turn: integer, files: string[] }
---@return string
local function label(turn)
  return ('Turn %d · %s'):format(turn.turn, table.concat(vim.tbl_map(name, turn.files), ', '))
end

---@param text string
local function say(text)
  vim.notify('redline: ' .. text, vim.log.levels.INFO)
end

--- The thread that prompts go on with, else the newest one.
---@param lsp vim.lsp.Client
---@param use fun(thread: string)
local function with_thread(lsp, use)
  local current = require('redline.thread').current
  if current then
    return use(current)
  end
  client.request(lsp, protocol.threads, vim.empty_dict(), function(result)
    local newest = result.threads[1]
    if not newest then
      return say('there is no thread yet, so nothing to go back to')
    end
    use(newest.threadId)
  end)
end

---@param lsp vim.lsp.Client
---@param thread string
---@param turn integer
local function go(lsp, thread, turn)
  client.request(lsp, protocol.rewind, { threadId = thread, turn = turn }, function(result)
    local level = #result.kept > 0 and vim.log.levels.WARN or vim.log.levels.INFO
    vim.notify('redline: ' .. M.sentence(turn, result), level)
  end)
end

--- Asks for the turn, the newest first.
---@param lsp vim.lsp.Client
---@param thread string
local function choose(lsp, thread)
  client.request(lsp, protocol.turns, { threadId = thread }, function(result)
    if #result.turns == 0 then
      return say('no turn of this thread has changed a file')
    end
    local turns = vim.iter(result.turns):rev():totable()
    local options = { prompt = 'Redline: back to before', format_item = label }
    vim.ui.select(turns, options, function(turn)
      if turn then
        go(lsp, thread, turn.turn)
      end
    end)
  end)
end

---@param text string the turn's number; empty: ask for it
function M.start(text)
  local turn = text:match('^%d+$')
  if not turn and text ~= '' then
    return vim.notify(
      ('redline: "%s" is not the number of a turn'):format(text),
      vim.log.levels.ERROR
    )
  end
  client.with(function(lsp)
    with_thread(lsp, function(thread)
      if turn then
        go(lsp, thread, tonumber(turn) --[[@as integer]])
      else
        choose(lsp, thread)
      end
    end)
  end)
end

--- The turns' numbers, for completion, the newest first.
---@return string[]
function M.numbers()
  local lsp = client.get()
  if not lsp then
    return {}
  end
  local function ask(method, params)
    local answer = lsp:request_sync(method, params, PATIENCE)
    return answer and answer.result or nil
  end
  local thread = require('redline.thread').current
  if not thread then
    local known = ask(protocol.threads, vim.empty_dict())
    thread = known and known.threads[1] and known.threads[1].threadId
  end
  local known = thread and ask(protocol.turns, { threadId = thread })
  return vim
    .iter(known and known.turns or {})
    :rev()
    :map(function(turn)
      return tostring(turn.turn)
    end)
    :totable()
end

return M
