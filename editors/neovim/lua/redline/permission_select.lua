--- The ask through vim.ui.select, for those who have a picker there.

local text = require('redline.ask_text')

local M = {}

---@type string?
local shown

---@param ask redline.Ask
---@return string
local function prompt(ask)
  local lines = {}
  for _, row in ipairs(text.lines(ask, {})) do
    if #row == 0 then
      break
    end
    table.insert(
      lines,
      table.concat(vim.tbl_map(function(chunk)
        return chunk[1]
      end, row))
    )
  end
  return ask.title .. '\n' .. table.concat(lines, '\n') .. '\n'
end

---@param open redline.OpenAsk
function M.show(open)
  local ask = open.ask
  if shown == ask.askId then
    return
  end
  shown = ask.askId
  -- a reject comes first: no default may allow anything
  local options = vim.list_extend({}, ask.options)
  table.sort(options, function(a, b)
    return (a.id == 'reject' and 0 or 1) < (b.id == 'reject' and 0 or 1)
  end)
  vim.schedule(function()
    vim.ui.select(options, {
      prompt = prompt(ask),
      kind = 'redline_permission',
      format_item = function(option)
        return option.label .. (option.covers and ('  ' .. option.covers) or '')
      end,
    }, function(option)
      local permission = require('redline.permission')
      shown = nil
      permission.answer(ask.askId, option and permission.answer_for(option) or nil)
    end)
  end)
end

---@param open redline.OpenAsk
function M.focus(open)
  shown = nil
  M.show(open)
end

function M.hide()
  shown = nil
end

return M
