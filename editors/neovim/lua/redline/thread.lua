--- Prompts, and what threads tell: text and tool calls go to a log buffer, one message at the end.

local buffers = require('redline.buffers')
local client = require('redline.client')
local config = require('redline.config')
local hunks = require('redline.hunks')
local log = require('redline.log')
local protocol = require('redline.protocol')
local status = require('redline.status')

local M = {}

---@type string? the thread that the next prompt goes on with
M.current = nil

---@return string[]
local function open_uris()
  local uris = {}
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if
      vim.bo[buf].buflisted
      and vim.bo[buf].buftype == ''
      and vim.api.nvim_buf_get_name(buf) ~= ''
    then
      table.insert(uris, vim.uri_from_bufnr(buf))
    end
  end
  return uris
end

---@param range? { first: integer, last: integer } rows, 0-based, end-exclusive
---@return redline.PromptContext
local function context(range)
  local buf = vim.api.nvim_get_current_buf()
  local file = vim.bo[buf].buftype == '' and vim.api.nvim_buf_get_name(buf) ~= ''
  local uri = file and vim.uri_from_bufnr(buf) or nil
  local selection = uri
      and range
      and {
        uri = uri,
        range = {
          start = { line = range.first, character = 0 },
          ['end'] = { line = range.last, character = 0 },
        },
      }
    or nil
  return { activeUri = uri, selection = selection, openUris = open_uris() }
end

---@alias redline.Rows { first: integer, last: integer } rows, 0-based, end-exclusive

---@param text string
---@param range? redline.Rows
---@param new? boolean a thread of its own, which later prompts go on with
function M.prompt(text, range, new)
  local thread = not new and M.current or nil
  local params = { text = text, threadId = thread, context = context(range) }
  client.with(function(lsp)
    log.heading('> ' .. text)
    client.request(lsp, protocol.prompt, params, function(result)
      M.current = result.threadId
      status.running[result.threadId] = M.ended[result.turnId] == nil and true or nil
      status.changed()
    end)
  end)
end

---@param text? string nil: ask
---@param range? redline.Rows
---@param new? boolean
function M.start(text, range, new)
  if text and text ~= '' then
    return M.prompt(text, range, new)
  end
  vim.ui.input({ prompt = new and 'Redline, new thread: ' or 'Redline: ' }, function(given)
    if given and given ~= '' then
      M.prompt(given, range, new)
    end
  end)
end

--- Stops what runs.
function M.stop()
  local lsp = client.get()
  local running = vim.tbl_keys(status.running)
  if not lsp or #running == 0 then
    vim.notify('redline: nothing runs', vim.log.levels.INFO)
    return
  end
  for _, id in ipairs(running) do
    client.request(lsp, protocol.cancel, { threadId = id })
  end
end

--- Turns that ended before their prompt was answered.
---@type table<string, true>
M.ended = {}

---@param event redline.ThreadEventBody
---@return string
local function summary(event)
  if event.reason == 'error' then
    return 'failed: ' .. (event.message or 'no reason given')
  elseif event.reason == 'cancelled' then
    return 'stopped'
  end
  local count, files = hunks.count()
  if count == 0 then
    return event.message or 'done, nothing to review'
  end
  local text = '%d hunk%s to review in %d file%s'
  return text:format(count, count == 1 and '' or 's', files, files == 1 and '' or 's')
end

---@param params redline.ThreadEvent
local function ended(params)
  status.running[params.threadId] = nil
  M.ended[params.turnId] = true
  local text = summary(params.event)
  log.heading('(' .. text .. ')')
  if config.values.notify then
    local level = params.event.reason == 'error' and vim.log.levels.ERROR or vim.log.levels.INFO
    vim.notify('redline: ' .. text, level)
  end
end

--- Handler of `redline/threadEvent`.
---@param params redline.ThreadEvent
function M.event(params)
  local event = params.event
  if event.type == 'text' then
    -- What a subagent says is said to the agent that sent it.
    if not params.parentToolUseId then
      log.append(event.delta or '')
    end
  elseif event.type == 'toolCall' then
    log.tool(event, params.parentToolUseId)
  elseif event.type == 'turnEnd' then
    ended(params)
  end
  if event.type ~= 'turnEnd' and not M.ended[params.turnId] then
    status.running[params.threadId] = true
  end
  status.changed()
end

--- `:Redline status`
function M.status()
  local lsp = client.get()
  if not lsp then
    vim.notify('redline: the server does not run', vim.log.levels.INFO)
    return
  end
  client.request(lsp, protocol.status, vim.empty_dict(), function(s)
    local here = buffers.name(buffers.uri(vim.api.nvim_get_current_buf()))
    local text = 'redline %s · %s · model %s · %d hunks in %d files · %d asks · log %s'
    local line =
      text:format(s.version, here, s.model, s.pendingHunks, s.pendingFiles, s.asks, s.logFile)
    vim.api.nvim_echo({ { line } }, false, {})
  end)
end

return M
