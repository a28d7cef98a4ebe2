--- What goes to the server, in which order. Neovim sends one didChange for each span it touches;
--- the server hears of one decision, or one undo step, in one: changes are held until it is
--- complete, and a `redline/changeReason` goes before an undo or redo.

local buffers = require('redline.buffers')
local hunks = require('redline.hunks')
local protocol = require('redline.protocol')
local undo = require('redline.undo')

local M = {}

---@class redline.Held
---@field key string
---@field reason? 'undo'|'redo'
---@field params lsp.DidChangeTextDocumentParams

---@type table<integer, { flush: fun(), held?: redline.Held, group?: string }>
local boxes = {}

---@param uri string
---@return string? key
---@return 'undo'|'redo'|nil reason
local function step(uri)
  local buf = hunks.files[uri] and buffers.find(uri)
  if not buf then
    return nil
  end
  local reason, block = undo.reason(buf)
  return reason and ('%s %d %s'):format(reason, block, uri), reason
end

--- Puts a client's outgoing messages through its box. Messages keep their order.
---@param client vim.lsp.Client
function M.wrap(client)
  local rpc = client.rpc
  local notify, request = rpc.notify, rpc.request
  local box = {}

  function box.flush()
    local held = box.held
    if not held then
      return
    end
    box.held = nil
    local document = held.params.textDocument
    if held.reason then
      notify(protocol.changeReason, {
        uri = document.uri,
        version = document.version,
        reason = held.reason,
      })
    end
    notify('textDocument/didChange', held.params)
  end

  ---@param params lsp.DidChangeTextDocumentParams
  local function change(params)
    local key, reason = box.group, nil
    if not key then
      key, reason = step(params.textDocument.uri)
    end
    if not (box.held and key and box.held.key == key) then
      box.flush()
    end
    if not key then
      return notify('textDocument/didChange', params)
    elseif not box.held then
      box.held = { key = key, reason = reason, params = params }
      vim.schedule(box.flush)
    else
      local held = box.held.params
      held.textDocument = params.textDocument
      held.contentChanges = vim.list_extend({ unpack(held.contentChanges) }, params.contentChanges)
    end
    return true
  end

  rpc.notify = function(method, params)
    if method == 'textDocument/didChange' then
      return change(params)
    end
    box.flush()
    return notify(method, params)
  end
  rpc.request = function(...)
    box.flush()
    return request(...)
  end
  boxes[client.id] = box
end

--- Runs `edit`; what it changes in the document reaches the server as one didChange. `edit` may
--- return changes that the buffer's lines do not show (its final EOL).
---@param client vim.lsp.Client
---@param uri string
---@param edit fun(): lsp.TextDocumentContentChangeEvent[]?
function M.together(client, uri, edit)
  local box = boxes[client.id]
  box.flush()
  box.group = 'edit ' .. uri
  local ok, extra = pcall(edit)
  if ok and extra and #extra > 0 then
    local buf = assert(buffers.find(uri))
    client:notify('textDocument/didChange', {
      textDocument = { uri = uri, version = buffers.version(buf) },
      contentChanges = extra,
    })
  end
  box.group = nil
  box.flush()
  if not ok then
    error(extra, 0)
  end
end

---@param client_id integer
function M.forget(client_id)
  boxes[client_id] = nil
end

--- Whether everything was sent; for tests.
---@param client_id integer
function M.idle(client_id)
  return boxes[client_id] ~= nil and boxes[client_id].held == nil
end

return M
