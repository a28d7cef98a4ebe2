--- An ask as a card. Pure.

local card = require('redline.card')

local M = {}

--- The commands of a call, one a line; nil if it runs none.
---@param args table
---@return string?
local function commands(args)
  local one = args.cmd or args.command
  if type(one) == 'string' then
    return one
  end
  local found = {}
  for _, each in ipairs(type(args.commands) == 'table' and args.commands or {}) do
    table.insert(found, type(each) == 'table' and each.cmd or nil)
  end
  return #found > 0 and table.concat(found, '\n') or nil
end

---@param args table
---@return redline.CardLine[]
local function arguments(args)
  local lines = {}
  for name, value in vim.spairs(args) do
    local text = type(value) == 'string' and value or vim.json.encode(value):gsub('\\/', '/')
    if text:find('\n', 1, true) then
      table.insert(lines, { name .. ':', 'RedlineHint' })
      for _, line in ipairs(vim.split(text, '\n', { plain = true })) do
        table.insert(lines, { '  ' .. line, 'NormalFloat' })
      end
    else
      table.insert(lines, { name .. ': ', 'RedlineHint', tail = { { text, 'NormalFloat' } } })
    end
  end
  return lines
end

--- `a.txt  +3 −1`, `a.txt | 4 +++-`: the numbers in their colours.
---@param line string
---@return redline.CardLine
local function stat(line)
  local head, plus, minus = line:match('^(%S.-%s)(%+%d+)(%s+%S+)$')
  if not head then
    head, plus, minus = line:match('^(%s?%S.-|%s*%d+%s)(%+*)(%-*)$')
  end
  if not head then
    return { line, 'NormalFloat' }
  end
  return { head, 'NormalFloat', tail = { { plus, 'Added' }, { minus, 'Removed' } } }
end

--- The lines of a change. Before its first `@@` and after an empty line there are files.
---@param text string
---@return redline.CardLine[]
local function coloured(text)
  return vim.tbl_map(function(line)
    local head = line:sub(1, 4)
    if head == '+++ ' or head == '--- ' or head:find('^@@') then
      return { line, 'RedlineHint' }
    elseif vim.startswith(line, '+') then
      return { line, 'RedlineAdd' }
    elseif vim.startswith(line, '-') then
      return { line, 'RedlineDelete' }
    end
    return stat(line)
  end, card.split(text))
end

--- What would run or be done, exactly.
---@param ask redline.Ask
---@return redline.CardField[]
local function call(ask)
  local args = type(ask.args) == 'table' and ask.args or {}
  local command, detail = commands(args), ask.detail or ''
  if not command then
    local whole = { label = 'call', lines = arguments(args), cut = 1 }
    if vim.trim(detail) == '' then
      return next(args) and { whole } or {}
    end
    -- the change says the same, and is easier to read
    whole.least = 1
    return { { label = 'change', lines = coloured(detail), cut = 2 }, whole }
  end
  -- the detail of a command is the command itself, perhaps with what it depends on
  if vim.startswith(vim.trim(detail), vim.trim(command)) then
    return { card.field('run', detail, 'RedlineCommand', 3) }
  end
  local fields = { card.field('run', command, 'RedlineCommand', 3) }
  if vim.trim(detail) ~= '' then
    table.insert(fields, card.field('', detail, nil, 2))
  end
  return fields
end

--- One line on what would happen; the whole command is shown below it.
---@param ask redline.Ask
---@return string
local function title(ask)
  local command = commands(type(ask.args) == 'table' and ask.args or {})
  local says_it_again = command and (ask.title:find('^Run: ') or ask.title:find(command, 1, true))
  if ask.title == '' or says_it_again then
    return ask.tool .. ': may it run this?'
  end
  return (ask.title:sub(1, 300):gsub('%s*\n%s*', ' '))
end

--- `user /home/a/.config/redline/settings.json` → `user ~/.config/redline/settings.json:3`
---@param reason table
---@return string
local function place(reason)
  local kind, path = reason.source:match('^(.-)%s*(/.*)$')
  local text = path and vim.trim(kind .. ' ' .. vim.fn.fnamemodify(path, ':~')) or reason.source
  return reason.line and ('%s:%d'):format(text, reason.line) or text
end

--- The sentence, and where the rule is if the sentence does not say so.
---@param reason table
---@return redline.CardField[]
local function why(reason)
  local text, fields = reason.text or '', {}
  if text ~= '' then
    table.insert(fields, card.field('why', text))
  end
  local line = reason.line and tostring(reason.line)
  local says_it = reason.rule
    and text:find(reason.rule, 1, true)
    and (not line or text:find('%f[%d]' .. line .. '%f[%D]'))
  if reason.rule and not says_it then
    table.insert(fields, {
      label = 'rule',
      lines = {
        { reason.rule .. '  ', 'NormalFloat', tail = { { place(reason), 'RedlineHint' } } },
      },
    })
  elseif text == '' then
    table.insert(fields, card.field('why', ('no rule matched (%s)'):format(reason.source)))
  end
  return fields
end

---@param files? string[]
---@param what string
---@return redline.CardField[]
local function not_on_disk(files, what)
  if not files or #files == 0 then
    return {}
  end
  return { card.field('note', what .. ' not on disk: ' .. table.concat(files, ', ')) }
end

---@param ask redline.Ask
---@return redline.Card
function M.card(ask)
  local fields = {}
  if ask.note and ask.note ~= '' then
    table.insert(fields, card.field('again', ask.note, 'WarningMsg'))
  end
  vim.list_extend(fields, call(ask))
  table.insert(fields, card.field('in', vim.fn.fnamemodify(ask.cwd, ':~')))
  vim.list_extend(fields, why(ask.reason))
  vim.list_extend(fields, not_on_disk(ask.pending, 'proposals'))
  vim.list_extend(fields, not_on_disk(ask.unsaved, 'your text'))
  local choices = vim.tbl_map(function(option)
    return { id = option.id, label = option.label, covers = option.covers }
  end, ask.options)
  table.insert(choices, { id = 'comment', label = 'Reject, and say why' })
  return { title = title(ask), fields = fields, choices = choices }
end

return M
