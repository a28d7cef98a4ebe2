--- The question whether a repository's own rules count, as a card. Pure.

local card = require('redline.card')

local M = {}

---@param trust redline.TrustParams
---@return redline.Card
function M.card(trust)
  local title = trust.changed and 'This folder’s rules have changed: do they still count?'
    or 'Do this folder’s own rules count?'
  local fields = {}
  if not trust.text:find(trust.folder, 1, true) then
    table.insert(fields, card.field('in', vim.fn.fnamemodify(trust.folder, ':~')))
  end
  table.insert(fields, card.field('what', trust.text, nil, 1))
  table.insert(fields, card.field('files', table.concat(trust.files or {}, '\n'), nil, 2))
  return {
    title = title,
    fields = fields,
    choices = {
      { id = 'show', label = 'Show all that it says' },
      { id = 'trust', label = 'Trust, until one of these files changes' },
      { id = 'later', label = 'Not now' },
    },
  }
end

return M
