--- Handler of `redline/question`: one after the other, through vim.ui.

local async = require('redline.async')

local M = {}

---@param question redline.Question
---@return string?
local function free_text(question)
  return async.await(function(done)
    vim.ui.input({ prompt = question.text .. ' ', default = question.defaultValue }, done)
  end)
end

---@param question redline.Question
---@param items string[]
---@return string?
local function select(question, items)
  return async.await(function(done)
    vim.ui.select(items, { prompt = question.text, kind = 'redline_question' }, done)
  end)
end

---@param question redline.Question
---@return string[]?
local function several(question)
  local chosen, finished = {}, 'Done'
  while true do
    local items = { finished }
    for _, choice in ipairs(question.choices or {}) do
      table.insert(items, (vim.tbl_contains(chosen, choice) and '[x] ' or '[ ] ') .. choice)
    end
    local picked = select(question, items)
    if not picked then
      return nil
    elseif picked == finished then
      return chosen
    end
    local choice = picked:sub(5)
    if vim.tbl_contains(chosen, choice) then
      chosen = vim.tbl_filter(function(other)
        return other ~= choice
      end, chosen)
    else
      table.insert(chosen, choice)
    end
  end
end

---@param question redline.Question
---@return table?
local function one(question)
  if question.type == 'FreeText' then
    local text = free_text(question)
    return text and { question = question.text, text = text }
  elseif question.type == 'MultiChoice' then
    local chosen = several(question)
    return chosen and { question = question.text, selected = chosen }
  end
  local picked = select(question, question.choices or {})
  return picked and { question = question.text, selected = { picked } }
end

--- Nil if the user left a required question open.
---@param questions redline.Question[]
---@return { answers: table[] }?
function M.ask(questions)
  local answers = {}
  for _, question in ipairs(questions) do
    local answer = one(question)
    if not answer and question.required ~= false then
      return nil
    end
    table.insert(answers, answer)
  end
  return { answers = answers }
end

return M
