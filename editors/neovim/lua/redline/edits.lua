--- `workspace/applyEdit` and `redline/save`, without the gaps of the stock handler: it says
--- `applied: true` for edits that it skipped, and never checks version 0.

local buffers = require('redline.buffers')
local outbox = require('redline.outbox')

local M = {}
local api = vim.api

---@param buf integer
---@param row integer
---@return string
local function line(buf, row)
  return api.nvim_buf_get_lines(buf, row, row + 1, false)[1] or ''
end

---@param buf integer
---@param pos lsp.Position
---@param encoding redline.Encoding
---@return integer row
---@return integer col in bytes
local function byte(buf, pos, encoding)
  local text = line(buf, pos.line)
  return pos.line, math.min(#text, vim.str_byteindex(text, encoding, pos.character, false))
end

--- The server's text ends with an EOL that no buffer line shows. Turns an edit that reaches it into
--- one of lines, and says whether the text still ends with an EOL then.
---@param buf integer
---@param edit lsp.TextEdit
---@param encoding redline.Encoding
---@return integer, integer, integer, integer, string, boolean eol
local function at_end(buf, edit, encoding)
  local rows = api.nvim_buf_line_count(buf)
  local last = #line(buf, rows - 1)
  local text, from = edit.newText, edit.range.start
  local row, col = rows - 1, last
  if from.line >= rows then
    text = '\n' .. text
  else
    row, col = byte(buf, from, encoding)
    if text == '' and col == 0 and row > 0 then
      row = row - 1
      return row, #line(buf, row), rows - 1, last, '', true
    end
  end
  local eol = text:sub(-1) == '\n' or (text == '' and row == 0 and col == 0)
  return row, col, rows - 1, last, (text:gsub('\n$', '')), eol
end

---@param buf integer
---@param edit lsp.TextEdit with \n only
---@param encoding redline.Encoding
---@return lsp.TextDocumentContentChangeEvent? change of the final EOL, which the lines do not show
local function apply_one(buf, edit, encoding)
  local rows = api.nvim_buf_line_count(buf)
  local had_eol = vim.bo[buf].eol
  local function set(r1, c1, r2, c2, text)
    api.nvim_buf_set_text(buf, r1, c1, r2, c2, vim.split(text, '\n', { plain = true }))
  end
  if edit.range['end'].line >= rows and had_eol then
    local r1, c1, r2, c2, text, eol = at_end(buf, edit, encoding)
    set(r1, c1, r2, c2, text)
    return M.final_eol(buf, eol, encoding)
  end
  local r1, c1 = byte(buf, edit.range.start, encoding)
  local r2, c2 = byte(buf, edit.range['end'], encoding)
  local ends = not had_eol and edit.range['end'].line >= rows - 1 and c2 == #line(buf, rows - 1)
  if ends and edit.newText:sub(-1) == '\n' then
    set(r1, c1, r2, c2, edit.newText:sub(1, -2))
    return M.final_eol(buf, true, encoding)
  end
  set(r1, c1, r2, c2, edit.newText)
end

--- Makes 'endofline' agree with the server's text. `fixeol` would add an EOL that the user has just
--- accepted to lose.
---@param buf integer
---@param eol boolean
---@param encoding redline.Encoding
---@return lsp.TextDocumentContentChangeEvent?
function M.final_eol(buf, eol, encoding)
  if vim.bo[buf].eol == eol then
    return nil
  end
  vim.bo[buf].eol = eol
  if not eol then
    vim.bo[buf].fixeol = false
  end
  local row = api.nvim_buf_line_count(buf) - 1
  local stop = { line = row, character = vim.str_utfindex(line(buf, row), encoding) }
  local ending = vim.bo[buf].fileformat == 'dos' and '\r\n' or '\n'
  if eol then
    return { range = { start = stop, ['end'] = stop }, text = ending }
  end
  return { range = { start = stop, ['end'] = { line = row + 1, character = 0 } }, text = '' }
end

---@param edits lsp.TextEdit[]
---@return lsp.TextEdit[] from the end of the text to its start
local function bottom_up(edits)
  local sorted = {}
  for i, edit in ipairs(edits) do
    sorted[i] = {
      range = edit.range,
      newText = edit.newText:gsub('\r\n', '\n'),
      at = i,
    }
  end
  table.sort(sorted, function(a, b)
    local p, q = a.range.start, b.range.start
    if p.line ~= q.line then
      return p.line > q.line
    elseif p.character ~= q.character then
      return p.character > q.character
    end
    return a.at > b.at
  end)
  return sorted
end

--- Ends the undo block in hand, so that what follows is one of its own.
---@param buf integer
local function break_undo(buf)
  vim.bo[buf].undolevels = vim.bo[buf].undolevels
end

---@param buf integer
---@param edits lsp.TextEdit[]
---@param client vim.lsp.Client
local function apply(buf, edits, client)
  break_undo(buf)
  outbox.together(client, vim.uri_from_bufnr(buf), function()
    local extra = {}
    for _, edit in ipairs(bottom_up(edits)) do
      extra[#extra + 1] = apply_one(buf, edit, client.offset_encoding)
    end
    return extra
  end)
  break_undo(buf)
end

---@param edit lsp.WorkspaceEdit
---@return { uri: string, version?: integer, edits: lsp.TextEdit[] }[]? documents nil: not only text
local function documents(edit)
  local found = {}
  for _, change in ipairs(edit.documentChanges or {}) do
    if change.kind then
      return nil
    end
    local version = change.textDocument.version
    version = version ~= vim.NIL and version or nil
    table.insert(found, { uri = change.textDocument.uri, version = version, edits = change.edits })
  end
  for uri, edits in pairs(edit.changes or {}) do
    table.insert(found, { uri = uri, edits = edits })
  end
  return found
end

---@param document { uri: string, version?: integer }
---@return integer? buf
---@return string? failure
local function check(document)
  local buf = buffers.find(document.uri)
  if not buf then
    return nil, document.uri .. ' is not open'
  elseif not vim.bo[buf].modifiable then
    return nil, document.uri .. ' is not modifiable'
  end
  local version = buffers.version(buf)
  if document.version and document.version ~= version then
    local text = '%s is at version %d, the edit is for %d'
    return nil, text:format(document.uri, version, document.version)
  end
  return buf
end

--- Handler of `workspace/applyEdit`: all documents or none.
---@param params lsp.ApplyWorkspaceEditParams
---@param client vim.lsp.Client
---@return lsp.ApplyWorkspaceEditResult
function M.apply(params, client)
  local todo = documents(params.edit)
  if not todo then
    return { applied = false, failureReason = 'only edits of text are supported' }
  end
  local bufs = {}
  for i, document in ipairs(todo) do
    local buf, failure = check(document)
    if not buf then
      return { applied = false, failureReason = failure }
    end
    bufs[i] = buf
  end
  for i, document in ipairs(todo) do
    apply(bufs[i], document.edits, client)
  end
  return { applied = true }
end

--- Whether the file changed outside since it was read; a plain `:write` would ask, and wait.
---@param buf integer
---@return boolean
local function changed_outside(buf)
  local changed = false
  local id = api.nvim_create_autocmd('FileChangedShell', {
    buffer = buf,
    callback = function()
      changed = true
      vim.v.fcs_choice = ''
    end,
  })
  vim.cmd(('silent checktime %d'):format(buf))
  api.nvim_del_autocmd(id)
  return changed
end

---@param uri string
---@return boolean
local function save(uri)
  local buf = buffers.find(uri)
  if not buf then
    return false
  elseif not vim.bo[buf].modified then
    return true
  elseif changed_outside(buf) then
    local text = 'redline: %s changed on disk; not saved (:w! keeps yours, :e! takes the disk)'
    vim.notify(text:format(buffers.name(uri)), vim.log.levels.WARN)
    return false
  end
  local ok, problem = pcall(api.nvim_buf_call, buf, function()
    vim.cmd('silent lockmarks write')
  end)
  if not ok then
    vim.notify('redline: ' .. problem, vim.log.levels.ERROR)
  end
  return ok and not vim.bo[buf].modified
end

--- Handler of `redline/save`.
---@param params redline.SaveParams
---@return { saved: string[] }
function M.save(params)
  return { saved = vim.tbl_filter(save, params.uris) }
end

return M
