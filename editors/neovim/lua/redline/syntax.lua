--- Syntax highlighting of text that is in no window: treesitter if the buffer uses it, else the
--- buffer's `syntax`. Byte spans per line: `{ [line] = { {from, to, group}, … } }`, lines 1-based.

local M = {}

---@alias redline.Spans table<integer, { [1]: integer, [2]: integer, [3]: string }[]>

local max_bytes = 256 * 1024
local max_lines = 400
local lead = 60

---@type table<string, redline.Spans>
local cache = {}
local cached = 0

---@param spans redline.Spans
---@param lines string[]
---@param node_range integer[] row, column, row, column
---@param from integer first wanted line, 1-based
---@param to integer
---@param group string
local function add(spans, lines, node_range, from, to, group)
  local r1, c1, r2, c2 = unpack(node_range)
  for row = math.max(r1 + 1, from), math.min(r2 + 1, to) do
    local a = row == r1 + 1 and c1 or 0
    local b = row == r2 + 1 and c2 or #lines[row]
    if a < b then
      local list = spans[row - from + 1] or {}
      spans[row - from + 1] = list
      table.insert(list, { a, b, group })
    end
  end
end

---@param lines string[]
---@param from integer
---@param to integer
---@param lang string
---@return redline.Spans
local function treesitter(lines, from, to, lang)
  local text = table.concat(lines, '\n') .. '\n'
  local parser = vim.treesitter.get_string_parser(text, lang)
  parser:parse(true)
  local spans = {}
  parser:for_each_tree(function(tree, ltree)
    local query = vim.treesitter.query.get(ltree:lang(), 'highlights')
    if not query then
      return
    end
    for id, node in query:iter_captures(tree:root(), text, from - 1, to) do
      local name = query.captures[id]
      if name:sub(1, 1) ~= '_' and name ~= 'spell' and name ~= 'nospell' then
        add(spans, lines, { node:range() }, from, to, ('@%s.%s'):format(name, ltree:lang()))
      end
    end
  end)
  return spans
end

---@param line string
---@param row integer
---@return { [1]: integer, [2]: integer, [3]: string }[]
local function syntax_line(line, row)
  local spans, last = {}, nil
  for col = 1, #line do
    local id = vim.fn.synIDtrans(vim.fn.synID(row, col, 1))
    local name = id ~= 0 and vim.fn.synIDattr(id, 'name') or ''
    if name == '' then
      last = nil
    elseif last and last[3] == name then
      last[2] = col
    else
      last = { col - 1, col, name }
      table.insert(spans, last)
    end
  end
  return spans
end

---@param lines string[]
---@param from integer
---@param to integer
---@param syntax string
---@return redline.Spans
local function vim_syntax(lines, from, to, syntax)
  local start = math.max(1, from - lead)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.list_slice(lines, start, to))
  local spans = {}
  vim.api.nvim_buf_call(buf, function()
    vim.cmd('noautocmd setlocal bufhidden=wipe')
    vim.bo[buf].syntax = syntax
    for row = from, math.min(to, from + max_lines) do
      spans[row - from + 1] = syntax_line(lines[row], row - start + 1)
    end
  end)
  vim.api.nvim_buf_delete(buf, { force = true })
  return spans
end

---@param buf integer whose language it is
---@return 'treesitter'|'syntax'|nil kind
---@return string name
local function language(buf)
  if vim.treesitter.highlighter.active[buf] then
    local lang = vim.treesitter.language.get_lang(vim.bo[buf].filetype)
    if lang then
      return 'treesitter', lang
    end
  end
  local syntax = vim.bo[buf].syntax
  if vim.g.syntax_on and syntax ~= '' and syntax ~= 'OFF' then
    return 'syntax', syntax
  end
  return nil, ''
end

--- Spans of lines `from`..`to` (1-based) of a text in a buffer's language.
---@param buf integer
---@param lines string[] the whole text, so that strings and comments are known
---@param from integer
---@param to integer
---@return redline.Spans
function M.spans(buf, lines, from, to)
  local kind, name = language(buf)
  if not kind or to < from then
    return {}
  end
  local bytes = 0
  for _, line in ipairs(lines) do
    bytes = bytes + #line
  end
  if bytes > max_bytes then
    lines, from, to = vim.list_slice(lines, from, to), 1, to - from + 1
  end
  local start = kind == 'syntax' and math.max(1, from - lead) or 1
  local stop = kind == 'syntax' and to or #lines
  local key = vim.fn.sha256(
    table.concat({ kind, name, from, to, table.concat(lines, '\n', start, stop) }, '\1')
  )
  if not cache[key] then
    if cached > 200 then
      cache, cached = {}, 0
    end
    cached = cached + 1
    cache[key] = kind == 'treesitter' and treesitter(lines, from, to, name)
      or vim_syntax(lines, from, to, name)
  end
  return cache[key]
end

return M
