--- What waits through vim.ui.select, for those who have a picker there. An ask opens it at once;
--- the question of trust, which nothing waits for, once the user asks for it.

local Guard = require('redline.guard')
local card = require('redline.card')
local config = require('redline.config')
local fit = require('redline.card_fit')
local rule_text = require('redline.rule_text')

local M = {}

---@type string? the id of what the picker shows
local shown
---@type table<string, true> told of in a message
local told = {}

---@return table
local function permission()
  return require('redline.permission')
end

---@param waiting redline.Waiting
---@return string
local function prompt(waiting)
  local _, index = permission().find(waiting.id)
  local it = card.of(waiting)
  local title = waiting.kind == 'ask' and waiting.params.title or it.title
  if title == '' then
    title = it.title
  end
  title = card.title(title, index or 1, permission().count())
  return title .. '\n' .. table.concat(fit.all(it), '\n') .. '\n'
end

--- What allows nothing comes first: no default may allow anything.
---@param choices redline.Choice[]
---@return redline.Choice[]
local function harmless_first(choices)
  local first, rest = {}, {}
  for _, choice in ipairs(choices) do
    local harmless = choice.id == 'reject' or choice.id == 'comment' or choice.id == 'later'
    table.insert(harmless and first or rest, choice)
  end
  return vim.list_extend(first, rest)
end

---@param choice redline.Choice
---@return string
local function label(choice)
  if not choice.covers then
    return choice.label
  end
  return ('%s…  %s'):format(choice.label, (choice.covers:gsub('\n', ' ⏎ ')))
end

--- The picker is free again before the answer, which may show the next one in it.
---@param waiting redline.Waiting
---@param choice_id string
---@param extra? table
local function answer(waiting, choice_id, extra)
  shown = nil
  permission().answer(waiting.id, choice_id, extra)
end

---@param waiting redline.Waiting
local function again(waiting)
  if permission().find(waiting.id) then
    M.focus(waiting)
  end
end

--- The rules are shown to be edited: in one line if they are one, else in a float. Leaving that
--- leads back to the choices.
---@param waiting redline.Waiting
---@param choice redline.Choice
local function edit(waiting, choice)
  local function save(rules)
    answer(waiting, choice.id, { rule = rules })
  end
  local function back()
    again(waiting)
  end
  local draft = rule_text.draft(waiting, choice)
  if draft:find('\n', 1, true) then
    -- no ask below it: it goes to the bottom of the screen
    local options = { above = -2, save = save, back = back }
    return require('redline.permission_rule').open(waiting, choice, options)
  end
  local above = ('%s (%s), saved as: '):format(choice.label, rule_text.reach(waiting, choice))
  vim.ui.input({ prompt = above, default = draft }, function(text)
    local rules = text and rule_text.taken(waiting, text)
    if rules then
      save(rules)
    else
      back()
    end
  end)
end

---@param waiting redline.Waiting
---@param choice redline.Choice
local function choose(waiting, choice)
  if choice.id == 'show' then
    shown = nil
    local text = card.split(waiting.params.text)
    require('redline.float').open(text, { title = card.of(waiting).title, above = true })
  elseif choice.id == 'comment' then
    vim.ui.input({ prompt = 'Reject, because: ' }, function(why)
      if why and vim.trim(why) ~= '' then
        answer(waiting, 'comment', { comment = why })
      else
        again(waiting)
      end
    end)
  elseif choice.covers then
    edit(waiting, choice)
  else
    answer(waiting, choice.id)
  end
end

---@param waiting redline.Waiting
---@param guard redline.Guard
---@param choice? redline.Choice nil: dismissed
local function chosen(waiting, guard, choice)
  if not permission().find(waiting.id) then
    -- another one may be shown by now
    if choice then
      permission().answer(waiting.id, choice.id)
    end
  elseif not guard:is_open() then
    -- nobody has read it: a stray choice is put again, a stray <Esc> leaves it open
    if choice then
      vim.defer_fn(function()
        again(waiting)
      end, config.values.permission.guard_ms)
    else
      shown = nil
    end
  elseif choice then
    choose(waiting, choice)
  else
    shown = nil
    permission().dismiss(waiting.id)
  end
end

---@param waiting redline.Waiting
local function open(waiting)
  shown = waiting.id
  vim.schedule(function()
    if not permission().find(waiting.id) then
      return
    end
    local guard = Guard.new()
    guard:settle()
    vim.ui.select(harmless_first(card.of(waiting).choices), {
      prompt = prompt(waiting),
      kind = 'redline_permission',
      format_item = label,
    }, function(choice)
      chosen(waiting, guard, choice)
    end)
  end)
end

---@param waiting redline.Waiting
function M.show(waiting)
  if shown then
    return
  elseif waiting.kind == 'ask' then
    return open(waiting)
  end
  local ask = vim.iter(permission().queue):find(function(other)
    return other.kind == 'ask'
  end)
  if ask then
    return open(ask)
  elseif not told[waiting.id] then
    told[waiting.id] = true
    local text = 'redline: %s :Redline permission answers'
    vim.notify(text:format(card.of(waiting).title), vim.log.levels.INFO)
  end
end

---@param waiting redline.Waiting
function M.focus(waiting)
  shown = nil
  open(waiting)
end

--- A picker cannot be closed from here: what is chosen in it is refused, and the user hears so.
---@param id string
---@param why string
function M.gone(id, why)
  shown = shown ~= id and shown or nil
  require('redline.permission_rule').withdrawn(id, why)
end

function M.hide()
  shown = nil
end

return M
