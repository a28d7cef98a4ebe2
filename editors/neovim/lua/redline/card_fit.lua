--- A card as rows of text that fit into a window: the choices and why it is asked are always in
--- view, and what had to be left out is counted where it was. Pure.

local card = require('redline.card')

local M = {}

---@alias redline.Chunk { [1]: string, [2]: string } text and highlight group
---@alias redline.Row redline.Chunk[]

--- Cells before a field's text: a space and its label.
M.INDENT = 8
--- Fewer lines of a field are never shown, unless it says so itself.
local LEAST = 3
--- So much of the rules that a choice would save is shown beside it: rules, and chars of each.
local MOST_RULES, MOST_OF_RULE = 3, 160

---@param text string
---@return integer
local function cells(text)
  return vim.fn.strdisplaywidth(text)
end

--- Screen rows of a line that starts after the labels, wrapped there.
---@param text string
---@param width integer
---@return integer
function M.rows_of(text, width)
  -- every cell has a byte at least: no need to measure a line that no screen holds
  local measured = #text > 100000 and #text or cells(text)
  -- words are not broken, which leaves some cells unused
  local usable = math.max(1, width - M.INDENT - 3)
  return math.max(1, math.ceil(measured / usable))
end

--- The start and the end of a text.
---@param text string
---@param room integer cells
---@return string
local function both_ends(text, room)
  local tail = math.floor(room / 3)
  local from = math.max(1, #text - tail + 1)
  from = from + vim.str_utf_start(text, from)
  return vim.fn.strcharpart(text:sub(1, 4 * room), 0, room - tail - 1) .. '…' .. text:sub(from)
end

--- The lines of a field in at most `room` rows: its start, its end, and how much is between them.
---@param lines redline.CardLine[]
---@param room integer
---@param width integer
---@return redline.CardLine[]
local function shortened(lines, room, width)
  local function fits(line, left)
    return M.rows_of(card.text(line), width) <= left
  end
  local first, last, left = 0, #lines + 1, room - 1
  local at_end = math.floor(left / 3)
  while last - 1 > first and fits(lines[last - 1], at_end) do
    last = last - 1
    local rows = M.rows_of(card.text(lines[last]), width)
    at_end, left = at_end - rows, left - rows
  end
  while first + 1 < last and fits(lines[first + 1], left) do
    first = first + 1
    left = left - M.rows_of(card.text(lines[first]), width)
  end
  local kept = vim.list_slice(lines, 1, first)
  local hidden = last - first - 1
  local next_line = lines[first + 1]
  if left > 0 and hidden > 0 then
    -- a line that alone is too long
    local part = both_ends(next_line[1], left * (width - M.INDENT - 6))
    table.insert(kept, { part, next_line[2] })
  end
  local what = hidden == 1 and '… 1 line is not shown whole …'
    or ('… %d more lines …'):format(hidden)
  table.insert(kept, { what, 'WarningMsg' })
  return vim.list_extend(kept, vim.list_slice(lines, last))
end

--- More lines than these are not measured: no screen holds them.
local MOST_LINES = 500

---@param field redline.CardField
---@param width integer
---@return integer
local function height(field, width)
  local rows = math.max(0, #field.lines - MOST_LINES)
  for _, line in ipairs(vim.list_slice(field.lines, 1, MOST_LINES)) do
    rows = rows + M.rows_of(card.text(line), width)
  end
  return rows
end

--- The fields, shortened until they fit.
---@param fields redline.CardField[]
---@param room integer rows
---@param width integer
---@return redline.CardField[]
---@return boolean cut
local function fitted(fields, room, width)
  local rows, total = {}, 0
  for i, field in ipairs(fields) do
    rows[i] = height(field, width)
    total = total + rows[i]
  end
  local order = vim.tbl_filter(function(i)
    return fields[i].cut ~= nil
  end, vim.tbl_keys(fields))
  table.sort(order, function(a, b)
    return fields[a].cut < fields[b].cut
  end)
  local all, cut = vim.list_extend({}, fields), false
  for _, i in ipairs(order) do
    local allowed = math.max(fields[i].least or LEAST, rows[i] - (total - room))
    if allowed < rows[i] then
      all[i] = { label = fields[i].label, lines = shortened(fields[i].lines, allowed, width) }
      total, cut = total - rows[i] + allowed, true
    end
  end
  return all, cut
end

---@param label string
---@return string
local function label_of(label)
  return (' %-' .. M.INDENT - 1 .. 's'):format(label)
end

---@param field redline.CardField
---@return redline.Row[]
function M.field_rows(field)
  local rows = {}
  for i, line in ipairs(field.lines) do
    local head = label_of(i == 1 and field.label or '')
    local row = { { head, 'RedlineHint' }, { line[1], line[2] } }
    table.insert(rows, vim.list_extend(row, line.tail or {}))
  end
  return rows
end

--- Rules below the choices that save them: the step that follows shows them whole.
---@param covers string
---@return redline.Row[]
local function rule_rows(covers)
  local rules, rows = card.split(covers), {}
  for n, rule in ipairs(vim.list_slice(rules, 1, MOST_RULES)) do
    local short = vim.fn.strcharpart(rule:sub(1, 4 * MOST_OF_RULE), 0, MOST_OF_RULE)
    local text = #short < #rule and short .. '…' or short
    local mark = n == 1 and '      ↳ ' or '        '
    table.insert(rows, { { mark, 'RedlineHint' }, { text, 'RedlineHint' } })
  end
  if #rules > MOST_RULES then
    local more = ('        … and %d more'):format(#rules - MOST_RULES)
    table.insert(rows, { { more, 'RedlineHint' } })
  end
  return rows
end

--- The choices with their keys; rules that several of them would save are shown once, below.
---@param choices redline.Choice[]
---@param keys table<string, string|false>
---@return redline.Row[]
function M.choice_rows(choices, keys)
  local rows = {}
  for i, choice in ipairs(choices) do
    local label = choice.covers and choice.label .. '…' or choice.label
    local key = ('   %s  '):format(keys[choice.id] or '-')
    table.insert(rows, { { key, 'RedlineKey' }, { label, 'NormalFloat' } })
    local after = choices[i + 1]
    if choice.covers and not (after and after.covers == choice.covers) then
      vim.list_extend(rows, rule_rows(choice.covers))
    end
  end
  return rows
end

---@param rows redline.Row[]
---@param width integer
---@return integer
function M.screen_rows(rows, width)
  local count = 0
  for _, row in ipairs(rows) do
    local text = ''
    for _, chunk in ipairs(row) do
      text = text .. chunk[1]
    end
    count = count + (cells(text) <= width and 1 or M.rows_of(text:sub(M.INDENT + 1), width))
  end
  return count
end

---@param it redline.Card
---@param keys table<string, string|false>
---@param room integer screen rows
---@param width integer cells
---@return redline.Row[]
function M.rows(it, keys, room, width)
  local choices = M.choice_rows(it.choices, keys)
  local show = { { id = 'show', label = 'Show all of it' } }
  local left = room - M.screen_rows(choices, width) - 1
  local fields, cut = fitted(it.fields, left, width)
  local offers = vim.iter(it.choices):any(function(choice)
    return choice.id == 'show'
  end)
  if cut and not offers then
    choices = vim.list_extend(M.choice_rows(show, keys), choices)
    fields = fitted(it.fields, left - 1, width)
  end
  local rows = {}
  for _, field in ipairs(fields) do
    vim.list_extend(rows, M.field_rows(field))
  end
  table.insert(rows, {})
  return vim.list_extend(rows, choices)
end

--- Rows as lines and where their highlights are: row, first and last byte, group.
---@param rows redline.Row[]
---@return string[] lines
---@return { [1]: integer, [2]: integer, [3]: integer, [4]: string }[] marks
function M.flatten(rows)
  local lines, marks = {}, {}
  for row, chunks in ipairs(rows) do
    local line = ''
    for _, chunk in ipairs(chunks) do
      table.insert(marks, { row - 1, #line, #line + #chunk[1], chunk[2] })
      line = line .. chunk[1]
    end
    lines[row] = line
  end
  return lines, marks
end

--- All of it as plain lines.
---@param it redline.Card
---@return string[]
function M.all(it)
  local lines, indent = {}, (' '):rep(M.INDENT)
  for _, field in ipairs(it.fields) do
    local first = #lines + 1
    for _, line in ipairs(field.lines) do
      table.insert(lines, indent .. card.text(line))
    end
    if lines[first] then
      lines[first] = label_of(field.label) .. lines[first]:sub(M.INDENT + 1)
    end
  end
  return lines
end

return M
