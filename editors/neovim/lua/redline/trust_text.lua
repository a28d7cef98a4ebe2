--- The question whether a repository's own rules count, as a card. Pure.

local card = require('redline.card')

local M = {}

---@param trust redline.TrustParams
---@return redline.Card
function M.card(trust)
  local title = trust.changed and 'This folder’s rules have changed: do they still count?'
    or 'Do this folder’s own rules count?'
  local why = trust.changed and 'You trusted them as they were before; now they only forbid.'
    or 'Until you trust them they can forbid, but allow and start nothing.'
  return {
    title = title,
    fields = {
      card.field('in', vim.fn.fnamemodify(trust.folder, ':~'), 'RedlineCommand'),
      card.field('files', table.concat(trust.files or {}, '\n'), nil, 2),
      card.field('why', why, trust.changed and 'WarningMsg' or nil),
      card.field('says', trust.text, nil, 1),
    },
    choices = {
      { id = 'show', label = 'Show all that it says' },
      { id = 'trust', label = 'Trust, until one of these files changes' },
      { id = 'later', label = 'Not now' },
    },
  }
end

return M
