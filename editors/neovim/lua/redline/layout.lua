--- Virtual lines: text with highlights, wrapped to a width. Pure.

local M = {}

---@alias redline.Chunk { [1]: string, [2]: string[] }

---@param char string
---@param col integer screen column it starts at
---@param tabstop integer
---@return string
local function shown(char, col, tabstop)
  if char == '\t' then
    return (' '):rep(tabstop - col % tabstop)
  end
  return char == '\0' and '^@' or vim.fn.strtrans(char)
end

--- The groups of each byte of a line, the most important last.
---@param size integer
---@param base string
---@param layers { [1]: integer, [2]: integer, [3]: string }[]
---@return string[][] groups of byte i at i + 1
local function groups(size, base, layers)
  local found = {}
  for i = 1, size do
    found[i] = { base }
  end
  for _, layer in ipairs(layers) do
    for i = layer[1] + 1, math.min(layer[2], size) do
      table.insert(found[i], layer[3])
    end
  end
  return found
end

---@param chunks redline.Chunk[]
---@param text string
---@param hl string[]
local function push(chunks, text, hl)
  local last = chunks[#chunks]
  if last and vim.deep_equal(last[2], hl) then
    last[1] = last[1] .. text
  else
    table.insert(chunks, { text, hl })
  end
end

--- One line of text as one or more rows of chunks, each filled up to `width` cells.
---@param line string
---@param layers { [1]: integer, [2]: integer, [3]: string }[] byte spans, later ones win
---@param base string
---@param width integer cells
---@param tabstop integer
---@return redline.Chunk[][]
function M.line(line, layers, base, width, tabstop)
  local per_byte = groups(#line, base, layers)
  local rows, row, used, col, at = {}, {}, 0, 0, 1
  local function close()
    if used < width then
      push(row, (' '):rep(width - used), { base })
    end
    table.insert(rows, row)
    row, used = {}, 0
  end
  while at <= #line do
    local size = vim.str_utf_end(line, at) + 1
    local text = shown(line:sub(at, at + size - 1), col, tabstop)
    local cells = vim.fn.strdisplaywidth(text)
    if used + cells > width and used > 0 then
      close()
    end
    push(row, text, per_byte[at])
    used, col, at = used + cells, col + cells, at + size
  end
  close()
  return rows
end

--- Common first and last lines of two blocks; a hunk may hold lines that are the same in both.
---@param old string[]
---@param new string[]
---@return integer head
---@return integer tail
function M.common(old, new)
  local shorter = math.min(#old, #new)
  local head = 0
  while head < shorter and old[head + 1] == new[head + 1] do
    head = head + 1
  end
  local tail = 0
  while tail < shorter - head and old[#old - tail] == new[#new - tail] do
    tail = tail + 1
  end
  return head, tail
end

return M
