--- The rules that an answer saves, as text: where they start from, and what the user made of them.
--- A rule ends with its line, but a quote may hold line breaks: nothing here takes it apart.

local card = require('redline.card')

local M = {}

--- What the server did not take: it asks once more, and the user goes on from there.
---@type { call: string, text: string }?
local refused

---@param waiting redline.Waiting
---@return string
local function call_of(waiting)
  return waiting.params.tool .. vim.json.encode(waiting.params.args)
end

--- The rules to start from.
---@param waiting redline.Waiting
---@param choice redline.Choice
---@return string
function M.draft(waiting, choice)
  if waiting.params.note and refused and refused.call == call_of(waiting) then
    return refused.text
  end
  return table.concat(card.split(choice.covers), '\n')
end

--- The user's rules, letter by letter; nil if there is none.
---@param waiting redline.Waiting
---@param text string
---@return string?
function M.taken(waiting, text)
  if vim.trim(text) == '' then
    vim.notify('redline: there is no rule here, so nothing was allowed', vim.log.levels.WARN)
    return nil
  end
  refused = { call = call_of(waiting), text = text }
  return text
end

--- Where and how long the rules count.
---@param waiting redline.Waiting
---@param choice redline.Choice
---@return string
function M.reach(waiting, choice)
  local client = vim.lsp.get_client_by_id(waiting.client_id)
  local folder = require('redline.folders').home(client, waiting.params.cwd)
  local name = folder and vim.fn.fnamemodify(folder, ':~') or 'this folder'
  local reach = {
    session = 'until the server ends',
    folder = 'in ' .. name .. ', from now on',
    always = 'in every folder, from now on',
  }
  return reach[choice.id] or ''
end

return M
