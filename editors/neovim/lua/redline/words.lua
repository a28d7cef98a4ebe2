--- Which parts of changed lines changed. Used when the server sends no `words`. Pure.

local M = {}

-- vim.diff moves to vim.text.diff in Neovim 0.12
local diff = vim.text and vim.text.diff or vim.diff

---@param line string
---@return string[] words identifiers, runs of blanks, and single characters
local function split(line)
  local words, at = {}, 1
  while at <= #line do
    local stop = select(2, line:find('^[%w_]+', at)) or select(2, line:find('^%s+', at))
    stop = stop or at + #vim.fn.strcharpart(line:sub(at, at + 3), 0, 1) - 1
    table.insert(words, line:sub(at, math.max(at, stop)))
    at = math.max(at, stop) + 1
  end
  return words
end

---@param words string[]
---@param from integer 1-based
---@param count integer
---@return [integer, integer]? bytes
local function bytes(words, from, count)
  if count == 0 then
    return nil
  end
  local start = #table.concat(words, '', 1, from - 1)
  return { start, start + #table.concat(words, '', from, from + count - 1) }
end

--- Byte spans that differ between two lines; none if the lines have too little in common for an
--- emphasis to help.
---@param old string
---@param new string
---@return [integer, integer][] old
---@return [integer, integer][] new
function M.line(old, new)
  local a, b = split(old), split(new)
  if #a == 0 or #b == 0 or #a + #b > 2000 then
    return {}, {}
  end
  local spans_a, spans_b, changed = {}, {}, 0
  local function joined(words)
    return (table.concat(words, '\n'):gsub('\r', ' ')) .. '\n'
  end
  for _, part in ipairs(diff(joined(a), joined(b), { result_type = 'indices' })) do
    local from_a, from_b = bytes(a, part[1], part[2]), bytes(b, part[3], part[4])
    if from_a then
      changed = changed + from_a[2] - from_a[1]
      table.insert(spans_a, from_a)
    end
    if from_b then
      changed = changed + from_b[2] - from_b[1]
      table.insert(spans_b, from_b)
    end
  end
  if changed * 10 > (#old + #new) * 7 then
    return {}, {}
  end
  return M.worth(old, spans_a), M.worth(new, spans_b)
end

--- Spans without blanks at their ends; none if they cover most of the line: then all is new, which
--- the line's own tint says.
---@param line string
---@param spans [integer, integer][] bytes
---@return [integer, integer][]
function M.worth(line, spans)
  local kept, covered = {}, 0
  for _, span in ipairs(spans) do
    local part = line:sub(span[1] + 1, span[2])
    local from = span[1] + #part:match('^%s*')
    local to = span[2] - #part:match('%s*$')
    -- a blank that is new between words is worth showing, one that only indents is not
    if from >= to and span[1] > 0 then
      from, to = span[1], span[2]
    end
    if from < to then
      table.insert(kept, { from, to })
      covered = covered + to - from
    end
  end
  return covered * 10 > #vim.trim(line) * 7 and {} or kept
end

--- `line` for two blocks of lines, paired from the top if their numbers are equal.
---@param old string[]
---@param new string[]
---@return table<integer, [integer, integer][]> old
---@return table<integer, [integer, integer][]> new
function M.block(old, new)
  local a, b = {}, {}
  if #old ~= #new then
    return a, b
  end
  for i = 1, #old do
    a[i], b[i] = M.line(old[i], new[i])
  end
  return a, b
end

return M
