--- What is drawn of a hunk, as data: which lines are tinted, which are virtual, and where.

local layout = require('redline.layout')
local position = require('redline.position')

local M = {}

--- Vim's functions take no NUL.
---@param text string
---@return string[]
local function visible(text)
  return (position.lines((text:gsub('%z', '␀'))))
end

---@class redline.Block what is drawn of a hunk
---@field first integer 0-based row of the first tinted line
---@field last integer row after the last
---@field kept string[] text of the tinted lines
---@field other string[] the virtual lines
---@field above boolean whether they are above the tinted lines
---@field head integer lines of the hunk above the block that stay the same
---@field tint string
---@field other_tint string

---@param item redline.Item
---@return redline.Block
function M.of(item)
  local hunk = item.hunk
  local old, new = visible(hunk.oldText), visible(hunk.newText)
  local head, tail = layout.common(old, new)
  local old_mid = vim.list_slice(old, head + 1, #old - tail)
  local new_mid = vim.list_slice(new, head + 1, #new - tail)
  local applied = hunk.state == 'applied'
  local stale = hunk.state == 'conflict' or hunk.state == 'accepting'
  local tints = stale and { 'RedlineStale', 'RedlineStale' } or { 'RedlineDelete', 'RedlineAdd' }
  local first = math.min(item.first + head, item.last)
  return {
    first = first,
    last = math.max(first, item.last - tail),
    kept = applied and new_mid or old_mid,
    other = applied and old_mid or new_mid,
    above = applied,
    tint = applied and tints[2] or tints[1],
    other_tint = applied and tints[1] or tints[2],
    head = head,
  }
end

--- Row and side that carry the virtual lines.
---@param b redline.Block
---@param count integer lines in the buffer
---@return integer row
---@return boolean above
function M.carrier(b, count)
  local row = (b.above or b.first == b.last) and b.first - 1 or b.last - 1
  if row < 0 then
    return 0, true
  end
  return math.min(row, count - 1), false
end

return M
