--- Draws the hunks of a buffer with extmarks. The text, the focus and the cursor are never touched.

local blocks = require('redline.blocks')
local buffers = require('redline.buffers')
local config = require('redline.config')
local deleted = require('redline.deleted')
local hint = require('redline.hint')
local hunks = require('redline.hunks')
local layout = require('redline.layout')
local position = require('redline.position')
local syntax = require('redline.syntax')
local words = require('redline.words')

local M = {}
local api = vim.api

M.ns = api.nvim_create_namespace('redline')

--- Changed words of both sides, per line of the block.
---@param item redline.Item
---@param b redline.Block
---@return table kept
---@return table other
local function emphasis(item, b)
  local hunk, sent = item.hunk, item.hunk.words
  if hunk.state == 'conflict' then
    return {}, {}
  elseif #b.kept == 0 or #b.other == 0 then
    return {}, {}
  elseif not sent then
    return words.block(b.kept, b.other)
  end
  local file = hunks.files[item.uri]
  local function side(text, spans, lines)
    local moved = {}
    for row, list in pairs(position.spans(text, spans or {}, file.encoding)) do
      moved[row - b.head] = words.worth(lines[row - b.head] or '', list)
    end
    return moved
  end
  if b.above then
    return side(hunk.newText, sent.new, b.kept), side(hunk.oldText, sent.old, b.other)
  end
  return side(hunk.oldText, sent.old, b.kept), side(hunk.newText, sent.new, b.other)
end

--- Cells between the number column and the right edge, of the narrowest window on the buffer.
---@param buf integer
---@return integer
local function width(buf)
  local narrow
  for _, win in ipairs(buffers.windows(buf)) do
    local info = vim.fn.getwininfo(win)[1]
    local cells = info.width - info.textoff
    -- the sign column may not be there before the first sign
    if info.textoff == 0 and config.values.signs then
      cells = cells - 2
    end
    narrow = math.min(narrow or cells, cells)
  end
  return math.max(narrow or 80, 10)
end

---@param buf integer
---@param b redline.Block
---@param spans redline.Spans
---@param changed table
---@return redline.Chunk[][]
local function virtual(buf, b, spans, changed)
  local strong = b.other_tint == 'RedlineAdd' and 'RedlineAddText' or 'RedlineDeleteText'
  local cells, rows = width(buf), {}
  for i, line in ipairs(b.other) do
    local layers = vim.list_extend({}, spans[i] or {})
    for _, span in ipairs(changed[i] or {}) do
      table.insert(layers, { span[1], span[2], strong })
    end
    vim.list_extend(rows, layout.line(line, layers, b.other_tint, cells, vim.bo[buf].tabstop))
  end
  return rows
end

--- The text as it would be with the virtual lines of a block in it, and where they are.
---@param lines string[]
---@param b redline.Block
---@return string[] text
---@return integer from 1-based
local function projected(lines, b)
  local text = vim.list_slice(lines, 1, b.first)
  vim.list_extend(text, b.other)
  vim.list_extend(text, lines, b.last + 1, #lines)
  return text, b.first + 1
end

---@param buf integer
---@param row integer
---@param col integer
---@param options vim.api.keyset.set_extmark
local function mark(buf, row, col, options)
  -- left gravity on both ends: an undo must not push an empty span behind the text it restores
  options.right_gravity = false
  if options.end_row then
    options.end_right_gravity = false
  end
  options.strict = false
  api.nvim_buf_set_extmark(buf, M.ns, row, col, options)
end

--- A whole line's background. Not `line_hl_group`: that would hide the emphasis of words.
---@param row integer
---@param group string
---@return vim.api.keyset.set_extmark
function M.tint(row, group)
  return { end_row = row + 1, end_col = 0, hl_group = group, hl_eol = true, priority = 90 }
end

---@param buf integer
---@param b redline.Block
---@param changed table
local function draw_kept(buf, b, changed)
  local strong = b.tint == 'RedlineAdd' and 'RedlineAddText' or 'RedlineDeleteText'
  for row = b.first, b.last - 1 do
    mark(buf, row, 0, M.tint(row, b.tint))
    -- a sign of its own: that of a range would stand on its end row, too
    if config.values.signs then
      mark(buf, row, 0, { sign_text = '▎', sign_hl_group = 'RedlineSign', priority = 90 })
    end
    local text = api.nvim_buf_get_lines(buf, row, row + 1, false)[1]
    -- the emphasis belongs to the text the server knew
    if text == b.kept[row - b.first + 1] then
      for _, span in ipairs(changed[row - b.first + 1] or {}) do
        mark(buf, row, span[1], {
          end_row = row,
          end_col = span[2],
          hl_group = strong,
          hl_mode = 'combine',
          priority = 150,
        })
      end
    end
  end
end

---@param buf integer
---@param item redline.Item
---@param lines string[]
---@return integer hidden virtual lines above row 0
local function draw_item(buf, item, lines)
  local b = blocks.of(item)
  local kept, other = emphasis(item, b)
  draw_kept(buf, b, kept)
  if #b.other == 0 then
    return 0
  end
  local text, from = projected(lines, b)
  local spans = syntax.spans(buf, text, from, from + #b.other - 1)
  local rows = virtual(buf, b, spans, other)
  local row, above = blocks.carrier(b, #lines)
  local options = { virt_lines = rows, virt_lines_above = above, priority = 90 }
  if b.first == b.last and config.values.signs then
    options.sign_text, options.sign_hl_group = above and '▔' or '▁', 'RedlineSign'
  end
  mark(buf, row, 0, options)
  return above and #rows or 0
end

--- A file that goes is red as a whole, with a line above it that says so. Once gone, its buffer
--- has that line alone.
---@param buf integer
---@param item redline.Item
---@return integer hidden virtual lines above row 0
local function draw_deleted(buf, item)
  if not deleted.is_done(item) then
    draw_kept(buf, blocks.of(item), {})
  end
  local text, group = deleted.notice(item)
  local rows = layout.line(text, {}, group, width(buf), vim.bo[buf].tabstop)
  local options = { virt_lines = rows, virt_lines_above = true, priority = 90 }
  if deleted.is_done(item) and config.values.signs then
    options.sign_text, options.sign_hl_group = '▔', 'RedlineSign'
  end
  mark(buf, 0, 0, options)
  return #rows
end

--- Virtual lines above the first line are out of sight unless the window is told to show them.
---@param win integer
---@param above integer how many
function M.show_top(win, above)
  api.nvim_win_call(win, function()
    local view = vim.fn.winsaveview()
    local fill = math.min(above, api.nvim_win_get_height(win) - 1)
    if view.topline == 1 and view.topfill ~= fill then
      vim.fn.winrestview({ topline = 1, topfill = fill })
    end
  end)
end

---@type table<integer, integer> buffer → virtual lines above its first
M.above = {}

---@param buf integer
function M.draw(buf)
  if not api.nvim_buf_is_loaded(buf) then
    return
  end
  api.nvim_buf_clear_namespace(buf, M.ns, 0, -1)
  local items = hunks.items(buffers.uri(buf))
  if vim.b[buf].redline_virtual then
    M.above[buf] = 0
    M.draw_virtual(buf, items)
    return
  end
  local lines = #items > 0 and api.nvim_buf_get_lines(buf, 0, -1, false) or {}
  local above = 0
  local deletion = deleted.of(buffers.uri(buf))
  if deletion then
    above, items = draw_deleted(buf, deletion), {}
  end
  for _, item in ipairs(items) do
    above = above + draw_item(buf, item, lines)
  end
  M.above[buf] = above
  hint.draw(buf)
  for _, win in ipairs(above > 0 and buffers.windows(buf) or {}) do
    M.show_top(win, above)
  end
end

--- A file that does not exist yet is its own proposal: every line is new.
---@param buf integer
---@param items redline.Item[]
function M.draw_virtual(buf, items)
  local stale = items[1] and items[1].hunk.state ~= 'pending'
  if items[1] then
    items[1].first, items[1].last = 0, api.nvim_buf_line_count(buf)
  end
  for row = 0, api.nvim_buf_line_count(buf) - 1 do
    mark(buf, row, 0, M.tint(row, stale and 'RedlineStale' or 'RedlineAdd'))
  end
  hint.draw(buf)
end

return M
