--- The hunk at the cursor: "2/5 gy accept gz reject" at the right, and a stronger sign.

local blocks = require('redline.blocks')
local buffers = require('redline.buffers')
local config = require('redline.config')
local deleted = require('redline.deleted')
local hunks = require('redline.hunks')

local M = {}
local api = vim.api

M.ns = api.nvim_create_namespace('redline-hint')

---@param item redline.Item
---@return redline.Chunk[]
local function hint_chunks(item)
  local state, keys = item.hunk.state, config.values.keys
  local index, total = hunks.index(item)
  local chunks = { { index and (' %d/%d'):format(index, total) or '', 'RedlineHint' } }
  local function key(name, what)
    if keys[name] then
      vim.list_extend(
        chunks,
        { { ' ' .. keys[name], 'RedlineKey' }, { ' ' .. what, 'RedlineHint' } }
      )
    end
  end
  if state == 'accepting' then
    table.insert(chunks, { ' accepting…', 'RedlineHint' })
  elseif state == 'applied' then
    key('accept', 'keep')
    key('reject', 'undo')
  elseif state == 'conflict' then
    table.insert(chunks, { ' conflict', 'RedlineHint' })
    key('reject', 'reject')
  else
    local typed = item.hunk.mixed and 'accept (keeps your text)'
    key('accept', deleted.of(item.uri) and 'delete the file' or typed or 'accept')
    key('reject', 'reject')
  end
  table.insert(chunks, { ' ', 'RedlineHint' })
  return chunks
end

--- The hint and the strong sign of the hunk at the cursor of the current window.
---@param buf integer
function M.draw(buf)
  api.nvim_buf_clear_namespace(buf, M.ns, 0, -1)
  if buf ~= api.nvim_get_current_buf() then
    return
  end
  local item = hunks.at(buffers.uri(buf), api.nvim_win_get_cursor(0)[1] - 1)
  if not item then
    return
  end
  local b = blocks.of(item)
  if vim.b[buf].redline_virtual then
    b.first, b.last = 0, 1
  end
  local row, above = b.first, false
  if b.first == b.last then
    row, above = blocks.carrier(b, api.nvim_buf_line_count(buf))
  end
  if config.values.hint then
    api.nvim_buf_set_extmark(buf, M.ns, row, 0, {
      virt_text = hint_chunks(item),
      virt_text_pos = 'eol_right_align',
      hl_mode = 'combine',
      strict = false,
    })
  end
  if config.values.signs then
    local sign = b.first < b.last and '▎' or above and '▔' or '▁'
    for line = row, math.max(row, b.last - 1) do
      api.nvim_buf_set_extmark(buf, M.ns, line, 0, {
        sign_text = sign,
        sign_hl_group = 'RedlineCurrent',
        priority = 91,
        strict = false,
      })
    end
  end
end

return M
