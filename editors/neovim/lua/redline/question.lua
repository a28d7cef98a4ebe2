--- Handler of `redline/question`: one after the other, through vim.ui.

local async = require('redline.async')

local M = {}

--- The question stays open, which only one that need not be answered can.
local OPEN = {}

--- What stands above a question.
---@param question redline.Question
---@param index integer
---@param total integer
---@return string
local function heading(question, index, total)
  local parts = { question.text }
  if total > 1 then
    table.insert(parts, ('(%d of %d)'):format(index, total))
  end
  if question.required then
    table.insert(parts, '(needs an answer)')
  end
  if question.note then
    table.insert(parts, '· ' .. question.note)
  end
  return table.concat(parts, ' ')
end

---@class redline.QuestionItem
---@field label string
---@field choice? string
---@field own? boolean
---@field done? boolean

---@param prompt string
---@param items redline.QuestionItem[]
---@return redline.QuestionItem?
local function select(prompt, items)
  return async.await(function(done)
    vim.ui.select(items, {
      prompt = prompt,
      kind = 'redline_question',
      format_item = function(item)
        return item.label
      end,
    }, done)
  end)
end

---@param question redline.Question
---@param prompt string
---@param default? string
---@return table? answer OPEN, or nil if it was dismissed
local function free_text(question, prompt, default)
  local text = async.await(function(done)
    vim.ui.input({ prompt = prompt .. ' ', default = default }, done)
  end)
  if not text then
    return nil
  elseif vim.trim(text) == '' then
    return OPEN
  end
  return { question = question.text, text = text }
end

--- The choices of a question and a way around them.
---@param question redline.Question
---@param mark fun(choice: string): string
---@return redline.QuestionItem[]
local function items_of(question, mark)
  local items = {}
  for _, choice in ipairs(question.choices or {}) do
    local label = (choice:gsub('\n', ' '))
    table.insert(items, { label = mark(choice) .. label, choice = choice })
  end
  table.insert(items, { label = 'Something else…', own = true })
  return items
end

---@param question redline.Question
---@param prompt string
---@return table? answer OPEN, or nil if it was dismissed
local function single(question, prompt)
  local items = items_of(question, function()
    return ''
  end)
  if not question.required then
    table.insert(items, { label = 'No answer', done = true })
  end
  local picked = select(prompt, items)
  if not picked then
    return nil
  elseif picked.done then
    return OPEN
  elseif picked.own then
    return free_text(question, prompt)
  end
  return { question = question.text, selected = { picked.choice } }
end

---@param question redline.Question
---@param prompt string
---@return table? answer OPEN, or nil if it was dismissed
local function several(question, prompt)
  local chosen, own = {}, nil
  while true do
    local items = items_of(question, function(choice)
      return vim.tbl_contains(chosen, choice) and '[x] ' or '[ ] '
    end)
    if own then
      items[#items].label = '[x] ' .. own
    end
    table.insert(items, 1, { label = 'Done', done = true })
    local picked = select(prompt, items)
    if not picked then
      return nil
    elseif picked.done then
      if #chosen == 0 and not own then
        return OPEN
      end
      return { question = question.text, selected = #chosen > 0 and chosen or nil, text = own }
    elseif picked.own then
      local answer = free_text(question, prompt, own)
      own = answer and answer ~= OPEN and answer.text or nil
    elseif vim.tbl_contains(chosen, picked.choice) then
      chosen = vim.tbl_filter(function(other)
        return other ~= picked.choice
      end, chosen)
    else
      table.insert(chosen, picked.choice)
    end
  end
end

local ask = {
  SingleChoice = single,
  MultiChoice = several,
  FreeText = function(question, prompt)
    return free_text(question, prompt, question.defaultValue)
  end,
}

--- Puts the question until it has an answer that will do.
---@param question redline.Question
---@param index integer
---@param total integer
---@return table? answer OPEN, or nil if it was dismissed
local function one(question, index, total)
  while true do
    local answer = ask[question.type](question, heading(question, index, total))
    if answer ~= OPEN or not question.required then
      return answer
    end
  end
end

--- Nil if the user does not want to answer.
---@param questions redline.Question[]
---@return { answers: table[] }?
function M.ask(questions)
  local answers = {}
  for index, question in ipairs(questions) do
    local answer = one(question, index, #questions)
    if not answer then
      return nil
    elseif answer ~= OPEN then
      table.insert(answers, answer)
    end
  end
  return { answers = answers }
end

return M
