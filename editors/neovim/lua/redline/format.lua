--- `redline/format`: what the formatter of the buffer's language server would change.

local api = vim.api
local async = require('redline.async')
local buffers = require('redline.buffers')

local M = {}

--- Milliseconds that a language server may take.
M.patience = 10000

---@param buf integer
---@param ours integer id of the redline client
---@return vim.lsp.Client?
local function formatter(buf, ours)
  local filter = { bufnr = buf, method = 'textDocument/formatting' }
  for _, client in ipairs(vim.lsp.get_clients(filter)) do
    if client.id ~= ours then
      return client
    end
  end
end

---@param buf integer
---@param client vim.lsp.Client
---@return lsp.TextEdit[]?
local function wanted(buf, client)
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(buf) },
    options = {
      tabSize = vim.lsp.util.get_effective_tabstop(buf),
      insertSpaces = vim.bo[buf].expandtab,
    },
  }
  return async.await(function(done)
    vim.defer_fn(done, M.patience)
    local sent = client:request('textDocument/formatting', params, function(_, edits)
      done(edits)
    end, buf)
    if not sent then
      done()
    end
  end)
end

--- The whole text after these edits, as one edit: each server counts columns in its own way.
---@param buf integer
---@param edits lsp.TextEdit[]
---@param encoding string
---@return lsp.TextEdit
local function whole(buf, edits, encoding)
  local copy = api.nvim_create_buf(false, true)
  api.nvim_buf_set_lines(copy, 0, -1, true, api.nvim_buf_get_lines(buf, 0, -1, true))
  vim.lsp.util.apply_text_edits(edits, copy, encoding)
  local text = table.concat(api.nvim_buf_get_lines(copy, 0, -1, true), '\n')
  api.nvim_buf_delete(copy, { force = true })
  local last = { line = api.nvim_buf_line_count(buf), character = 0 }
  return {
    range = { start = { line = 0, character = 0 }, ['end'] = last },
    newText = text .. ((vim.bo[buf].eol or vim.bo[buf].fixeol) and '\n' or ''),
  }
end

--- Handler of `redline/format`. A preview leaves the buffer alone: its edits become a proposal.
---@param params redline.FormatParams
---@param ours integer id of the redline client
---@return redline.FormatResult
function M.format(params, ours)
  local buf = buffers.find(params.uri)
  local client = buf and formatter(buf, ours)
  if not buf or not client then
    return { formatted = false }
  end
  local tick, version = api.nvim_buf_get_changedtick(buf), buffers.version(buf)
  local edits = wanted(buf, client)
  local gone = not api.nvim_buf_is_loaded(buf) or api.nvim_buf_get_changedtick(buf) ~= tick
  if gone or not edits or #edits == 0 then
    return { formatted = false }
  elseif not params.preview then
    vim.lsp.util.apply_text_edits(edits, buf, client.offset_encoding)
    return { formatted = true }
  end
  local edit = whole(buf, edits, client.offset_encoding)
  return { formatted = true, edits = { edit }, version = version }
end

return M
