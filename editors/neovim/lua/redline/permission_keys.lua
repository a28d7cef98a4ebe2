--- The keys of the float: one for each choice, and what it does. No other key decides anything.

local card = require('redline.card')
local config = require('redline.config')
local fit = require('redline.card_fit')
local permission = require('redline.permission')

local M = {}

---@param waiting redline.Waiting
local function comment(waiting)
  vim.ui.input({ prompt = 'Reject, because: ' }, function(why)
    if why and vim.trim(why) ~= '' then
      permission.answer(waiting.id, 'comment', { comment = why })
    end
  end)
end

---@param waiting redline.Waiting
local function show_all(waiting)
  local it = card.of(waiting)
  local text = waiting.kind == 'trust' and card.split(waiting.params.text) or fit.all(it)
  require('redline.float').open(text, { title = it.title, footer = 'q back', above = true })
end

---@param waiting redline.Waiting
---@param choice redline.Choice
---@param height integer
local function choose(waiting, choice, height)
  if choice.id == 'show' then
    show_all(waiting)
  elseif choice.id == 'comment' then
    comment(waiting)
  elseif choice.covers then
    require('redline.permission_rule').open(waiting, choice, {
      above = height,
      save = function(rules)
        permission.answer(waiting.id, choice.id, { rule = rules })
      end,
      back = require('redline.permission_float').back,
    })
  else
    permission.answer(waiting.id, choice.id)
  end
end

--- Makes the keys of a buffer those of what it shows.
---@param buf integer
---@param waiting redline.Waiting
---@param guard redline.Guard
---@param height integer rows of the float, without its border
function M.map(buf, waiting, guard, height)
  local keys = config.values.permission.keys
  local function key(lhs, desc, act)
    vim.keymap.set('n', lhs, act, { buffer = buf, nowait = true, desc = desc })
  end
  -- those of what was shown before, too
  for _, lhs in pairs(keys) do
    if lhs then
      key(lhs, 'nothing', '<Nop>')
    end
  end
  key('<CR>', 'nothing', '<Nop>')
  local choices = vim.list_extend({ { id = 'show', label = 'Show all' } }, card.of(waiting).choices)
  for _, choice in ipairs(choices) do
    if keys[choice.id] then
      key(keys[choice.id], choice.label, function()
        if guard:is_open() then
          choose(waiting, choice, height)
        end
      end)
    end
  end
  local leave = require('redline.permission_float').leave
  key('<Tab>', 'next', permission.later)
  key('q', 'leave', leave)
  key('<Esc>', 'leave', leave)
end

return M
