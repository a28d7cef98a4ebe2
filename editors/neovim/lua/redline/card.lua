--- What is shown of something that waits for the user, in the float or through vim.ui.select.

local M = {}

---@class redline.CardLine
---@field [1] string
---@field [2] string highlight group
---@field tail? redline.CardLine[] pieces that follow on the same line

---@class redline.CardField
---@field label string
---@field lines redline.CardLine[]
---@field cut? integer fields with a low number are shortened first; nil: never
---@field least? integer rows that are left of it at least

---@class redline.Choice
---@field id string key of `permission.keys`
---@field label string
---@field covers? string rules, one a line, that are shown and edited before they are saved

---@class redline.Card
---@field title string
---@field fields redline.CardField[]
---@field choices redline.Choice[] none of them is a default

---@param waiting redline.Waiting
---@return redline.Card
function M.of(waiting)
  local text = waiting.kind == 'trust' and 'redline.trust_text' or 'redline.ask_text'
  -- it never changes, and may be megabytes
  waiting.card = waiting.card or require(text).card(waiting.params)
  return waiting.card
end

--- "2 of 3 · …", or without the count if nothing else waits.
---@param title string
---@param index integer
---@param total integer
---@return string
function M.title(title, index, total)
  return total > 1 and ('%d of %d · %s'):format(index, total, title) or title
end

---@param text string
---@return string[]
function M.split(text)
  return vim.split((text:match('^\n*(.*%S)')) or '', '\n', { plain = true })
end

---@param label string
---@param text string
---@param group? string
---@param cut? integer
---@return redline.CardField
function M.field(label, text, group, cut)
  local lines = vim.tbl_map(function(line)
    return { line, group or 'NormalFloat' }
  end, M.split(text))
  return { label = label, lines = lines, cut = cut }
end

---@param line redline.CardLine
---@return string
function M.text(line)
  local text = line[1]
  for _, piece in ipairs(line.tail or {}) do
    text = text .. piece[1]
  end
  return text
end

return M
