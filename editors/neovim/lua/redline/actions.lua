--- Decisions: which hunks are meant, and `redline/resolve`.

local buffers = require('redline.buffers')
local client = require('redline.client')
local hunks = require('redline.hunks')
local protocol = require('redline.protocol')

local M = {}

---@class redline.Scope which hunks: at the cursor if all is nil
---@field first? integer 0-based row
---@field last? integer row after the last
---@field file? boolean
---@field everywhere? boolean

---@param text string
local function say(text)
  vim.notify('redline: ' .. text, vim.log.levels.INFO)
end

--- The hunks of the current buffer that a scope names.
---@param scope redline.Scope
---@return redline.Item[]
function M.items(scope)
  local uri = buffers.uri(vim.api.nvim_get_current_buf())
  if scope.file then
    return hunks.open(uri)
  elseif scope.first then
    return vim.tbl_filter(function(item)
      local first, last = item.first, math.max(item.last, item.first)
      if first == last then
        return scope.first < first and first <= scope.last or (first == 0 and scope.first == 0)
      end
      return first < scope.last and last > scope.first
    end, hunks.open(uri))
  end
  local here = hunks.at(uri, vim.api.nvim_win_get_cursor(0)[1] - 1)
  return here and here.hunk.state ~= 'accepting' and { here } or {}
end

---@param result redline.ResolveResult
local function report(result)
  for _, failure in ipairs(result.failed or {}) do
    vim.notify('redline: not done: ' .. failure.reason, vim.log.levels.WARN)
  end
  local stale = #(result.stale or {})
  if stale > 0 then
    local text = '%d hunk%s changed meanwhile: look again, nothing was decided there'
    vim.notify('redline: ' .. text:format(stale, stale == 1 and '' or 's'), vim.log.levels.WARN)
  end
end

---@param params redline.ResolveParams
---@param done? fun(result: redline.ResolveResult)
function M.send(params, done)
  client.with(function(lsp)
    client.request(lsp, protocol.resolve, params, function(result)
      report(result)
      if done then
        done(result)
      end
    end)
  end)
end

---@param items redline.Item[]
---@param action 'accept'|'reject'|'reopen'|'drop'
---@param extra? { comment?: string, finalText?: string, revision?: integer }
function M.resolve_items(items, action, extra)
  local ids = vim.tbl_map(function(item)
    return item.hunk.id
  end, items)
  local uri = items[1].uri
  local params = vim.tbl_extend('force', { action = action, uri = uri, hunks = ids }, extra or {})
  local function send(done)
    local file = hunks.files[uri]
    params.revision = file and file.review.revision
    client.with(function(lsp)
      client.request(lsp, protocol.resolve, params, done)
    end)
  end
  send(function(result)
    -- another hunk of the file has changed meanwhile, these have not: the decision still stands
    if #(result.stale or {}) == #ids and M.are_as_seen(items) then
      return send(report)
    end
    report(result)
  end)
end

--- Whether the newest review shows these hunks as they were.
---@param items redline.Item[]
function M.are_as_seen(items)
  local file = hunks.files[items[1].uri]
  local now = {}
  for _, hunk in ipairs(file and file.review.hunks or {}) do
    now[hunk.id] = hunk
  end
  return vim.iter(items):all(function(item)
    local new = now[item.hunk.id]
    return new ~= nil
      and new.state == item.hunk.state
      and new.newText == item.hunk.newText
      and new.oldText == item.hunk.oldText
  end)
end

--- Accept, reject or drop what a scope names.
---@param action 'accept'|'reject'|'drop'
---@param scope? redline.Scope
---@param comment? string
function M.decide(action, scope, comment)
  scope = scope or {}
  if scope.everywhere then
    return M.send({ action = action, comment = comment, include = 'applied' })
  end
  local items = M.items(scope)
  if #items == 0 then
    local total = hunks.count()
    return say(total > 0 and 'no hunk here; :Redline next goes to one' or 'no hunks to review')
  end
  M.resolve_items(items, action, { comment = comment })
end

--- Reject with a comment; asks for it if there is none.
---@param scope redline.Scope
---@param comment? string
function M.comment(scope, comment)
  local items = M.items(scope)
  if #items == 0 and not scope.everywhere then
    return say('no hunk here to comment on')
  end
  local function send(text)
    if not text or text == '' then
      return
    elseif scope.everywhere then
      return M.send({ action = 'reject', comment = text, include = 'applied' })
    end
    M.resolve_items(items, 'reject', { comment = text })
  end
  if comment and comment ~= '' then
    return send(comment)
  end
  vim.ui.input({ prompt = 'Reject, because: ' }, send)
end

--- Brings back the last decided hunk of the file that is still listed, nearest to the cursor.
---@param scope redline.Scope
function M.reopen(scope)
  local uri = buffers.uri(vim.api.nvim_get_current_buf())
  local decided = hunks.items(uri, { accepted = true, rejected = true })
  if #decided == 0 then
    return say('nothing decided here that could be reopened')
  elseif scope.file or scope.everywhere then
    return M.resolve_items(decided, 'reopen')
  end
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  table.sort(decided, function(a, b)
    return math.abs(a.first - row) < math.abs(b.first - row)
  end)
  M.resolve_items({ decided[1] }, 'reopen')
end

return M
