--- An ask as lines of text with highlights. Pure.

local M = {}

---@alias redline.AskLine { [1]: string, [2]: string }[]

---@param label string
---@param text string
---@param group? string
---@return redline.AskLine[]
local function field(label, text, group)
  local rows = {}
  for i, line in ipairs(vim.split(vim.trim(text), '\n', { plain = true })) do
    local head = i == 1 and label or ''
    table.insert(
      rows,
      { { (' %-6s'):format(head), 'RedlineHint' }, { line, group or 'NormalFloat' } }
    )
  end
  return rows
end

--- The whole command: nothing of what is allowed may be out of sight.
---@param ask redline.Ask
---@return string
local function what(ask)
  local args = type(ask.args) == 'table' and ask.args or {}
  local command = args.cmd or args.command
  if type(command) == 'string' then
    return command
  end
  local commands = {}
  for _, one in ipairs(type(args.commands) == 'table' and args.commands or {}) do
    table.insert(commands, type(one) == 'table' and one.cmd or nil)
  end
  if #commands > 0 then
    return table.concat(commands, '\n')
  end
  local parts = {}
  for name, value in vim.spairs(args) do
    table.insert(
      parts,
      name .. ': ' .. (type(value) == 'string' and value or vim.json.encode(value))
    )
  end
  return table.concat(parts, '\n')
end

--- The ask's title, unless it only says the command again, which is shown in full below.
---@param ask redline.Ask
---@return string
function M.title(ask)
  if ask.title == '' or ask.title:find(what(ask), 1, true) then
    return ask.tool .. ': may it run this?'
  end
  return (ask.title:gsub('%s*\n%s*', ' '))
end

---@param reason table
---@return string
local function why(reason)
  if reason.text and reason.text ~= '' then
    return reason.text
  end
  local place = reason.source .. (reason.line and (':' .. reason.line) or '')
  return ('asks: %s (%s)'):format(reason.rule or 'no rule matched', place)
end

---@param option { id: string, label: string, covers?: string }
---@param keys table<string, string>
---@return redline.AskLine
local function choice(option, keys)
  local row = {
    { ('   %s  '):format(keys[option.id] or '?'), 'RedlineKey' },
    { option.label, 'NormalFloat' },
  }
  if option.covers then
    table.insert(row, { '  ' .. option.covers, 'RedlineHint' })
  end
  return row
end

---@param ask redline.Ask
---@param keys table<string, string>
---@return redline.AskLine[]
function M.lines(ask, keys)
  local command = what(ask)
  local rows = {}
  local function extend(more)
    vim.list_extend(rows, more)
  end
  extend(field('run', command, 'RedlineCommand'))
  extend(field('in', vim.fn.fnamemodify(ask.cwd, ':~')))
  if ask.detail and ask.detail ~= '' and vim.trim(ask.detail) ~= vim.trim(command) then
    extend(field('', ask.detail))
  end
  extend(field('why', why(ask.reason)))
  if ask.pending and #ask.pending > 0 then
    extend(field('note', 'proposals not on disk: ' .. table.concat(ask.pending, ', ')))
  end
  if ask.unsaved and #ask.unsaved > 0 then
    extend(field('note', 'your text not on disk: ' .. table.concat(ask.unsaved, ', ')))
  end
  table.insert(rows, {})
  for _, option in ipairs(ask.options) do
    table.insert(rows, choice(option, keys))
  end
  table.insert(rows, {
    { ('   %s  '):format(keys.comment or '?'), 'RedlineKey' },
    { 'Reject, and say why', 'NormalFloat' },
  })
  return rows
end

return M
