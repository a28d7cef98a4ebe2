--- One quickfix list of all hunks, found again by its id.

local buffers = require('redline.buffers')
local deleted = require('redline.deleted')
local hunks = require('redline.hunks')
local position = require('redline.position')

local M = {}

---@type integer?
local list_id

---@param item redline.Item
---@return table
local function entry(item)
  local old, new = position.lines(item.hunk.oldText), position.lines(item.hunk.newText)
  local index, total = hunks.index(item)
  local text = ('%d/%d -%d +%d  %s'):format(
    index or 0,
    total,
    #old,
    #new,
    deleted.of(item.uri) and 'deletes the file' or vim.trim(new[1] or old[1] or '')
  )
  local row = item.first == item.last and math.max(item.first, 1) or item.first + 1
  local found = { lnum = row, text = text, type = item.hunk.state == 'conflict' and 'W' or 'I' }
  local buf = buffers.virtual[item.uri]
  if buf then
    found.bufnr = buf
  else
    found.filename = vim.uri_to_fname(item.uri)
  end
  return found
end

---@return table[]
local function entries()
  local found = {}
  for _, uri in ipairs(hunks.uris()) do
    for _, item in ipairs(hunks.open(uri)) do
      table.insert(found, entry(item))
    end
  end
  return found
end

---@return boolean
local function exists()
  return list_id ~= nil and vim.fn.getqflist({ id = list_id, nr = 0 }).id == list_id
end

--- Keeps the list in step with the hunks, if it was made.
function M.update()
  if exists() then
    vim.fn.setqflist({}, 'r', { id = list_id, items = entries() })
  end
end

function M.open()
  local found = entries()
  if #found == 0 then
    vim.notify('redline: no hunks to review', vim.log.levels.INFO)
    return
  end
  if exists() then
    M.update()
    vim.cmd(('silent %dchistory'):format(vim.fn.getqflist({ id = list_id, nr = 0 }).nr))
  else
    vim.fn.setqflist({}, ' ', { title = 'Redline hunks', items = found })
    list_id = vim.fn.getqflist({ id = 0 }).id
  end
  vim.cmd('botright copen')
end

return M
