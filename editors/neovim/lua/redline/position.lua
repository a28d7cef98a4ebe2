--- Offsets on the wire (in the negotiated encoding) to rows and bytes. Pure.

local M = {}

--- Lines without their ends. `"a\nb"` and `"a\nb\n"` both have two; `""` has none.
---@param text string
---@return string[] lines
---@return boolean eol whether the last line had one
function M.lines(text)
  if text == '' then
    return {}, true
  end
  local lines = vim.split((text:gsub('\r\n', '\n')), '\n', { plain = true })
  local eol = lines[#lines] == ''
  if eol then
    table.remove(lines)
  end
  return lines, eol
end

--- First row and row after the last, both 0-based, of a range of whole lines. A range that ends
--- inside a line (a last line without EOL) includes that line.
---@param range lsp.Range
---@return integer first
---@return integer last
function M.rows(range)
  local first, last = range.start.line, range['end'].line
  if range['end'].character > 0 then
    last = last + 1
  end
  return first, math.max(first, last)
end

--- Flat offset spans over a text to byte spans per line: `{ [line] = { {from, to}, … } }`, lines
--- 1-based, bytes 0-based and end-exclusive.
---@param text string
---@param spans [integer, integer][]
---@param encoding redline.Encoding
---@return table<integer, [integer, integer][]>
function M.spans(text, spans, encoding)
  local size = vim.str_utfindex(text, encoding)
  local found = {}
  for _, span in ipairs(spans) do
    local from = vim.str_byteindex(text, encoding, math.min(span[1], size), false)
    local to = vim.str_byteindex(text, encoding, math.min(span[2], size), false)
    local start, row = 0, 1
    for line in vim.gsplit(text, '\n', { plain = true }) do
      local a, b = math.max(from - start, 0), math.min(to - start, #line)
      if a < b then
        found[row] = found[row] or {}
        table.insert(found[row], { a, b })
      end
      start, row = start + #line + 1, row + 1
      if start > to then
        break
      end
    end
  end
  return found
end

--- The rows of a range after an edit of rows [first, last) to [first, new_last). What the user
--- inserts at the start of a range or at an insertion point goes before it, at its end after it,
--- strictly inside it becomes part of it (DESIGN, section 1).
---@param from integer
---@param to integer
---@param first integer
---@param last integer
---@param new_last integer
---@return integer from
---@return integer to
function M.shift(from, to, first, last, new_last)
  local delta = new_last - last
  if first == last then
    if first <= from then
      return from + delta, to + delta
    end
    return from, first < to and to + delta or to
  end
  local function move(row)
    if row <= first then
      return row
    elseif row >= last then
      return row + delta
    end
    return math.min(row, new_last)
  end
  local a = move(from)
  return a, math.max(a, move(to))
end

return M
