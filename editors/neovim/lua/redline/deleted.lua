--- A file that is to be deleted, or was: what is said above its text, and what becomes of its
--- buffer. No buffer is closed: its text may be all that is left, and `:w` writes it again.

local hunks = require('redline.hunks')

local M = {}
local api = vim.api

local notices = {
  pending = { 'This file would be deleted.', 'RedlineDelete' },
  accepting = { 'This file is being deleted …', 'RedlineStale' },
  conflict = {
    'This file has changed since its deletion was proposed: it can only be rejected.',
    'RedlineStale',
  },
  applied = { 'This file is deleted, as your rules allow. :w writes it again.', 'RedlineDelete' },
  accepted = {
    'This file is deleted. :Redline reopen brings it back, :w writes it again.',
    'RedlineDelete',
  },
}

--- The deletion of a file, decided or not; nil: it stays.
---@param uri string
---@return redline.Item?
function M.of(uri)
  local file = hunks.files[uri]
  if not file or file.review.change ~= 'deleted' then
    return nil
  end
  return vim.iter(file.items):find(function(item)
    return item.hunk.newText == '' and notices[item.hunk.state] ~= nil
  end)
end

--- Whether the file is gone from the disk.
---@param item redline.Item
---@return boolean
function M.is_done(item)
  return item.hunk.state == 'applied' or item.hunk.state == 'accepted'
end

--- What is said above the first line, and how it is tinted.
---@param item redline.Item
---@return string text
---@return string group
function M.notice(item)
  local found = notices[item.hunk.state]
  if item.hunk.state == 'pending' and item.hunk.mixed then
    return 'You typed in this file since its deletion was proposed: it can only be rejected.',
      'RedlineStale'
  end
  return found[1], found[2]
end

---@type table<integer, integer> buffer → autocommand
local watched = {}

--- Neovim finds out by itself that the file went, or came back: that is no news, and no error. A
--- buffer in which nothing was typed takes what is there then.
---@param buf integer
---@param uri string
function M.watch(buf, uri)
  local item = M.of(uri)
  if item and M.is_done(item) and not watched[buf] then
    watched[buf] = api.nvim_create_autocmd('FileChangedShell', {
      buffer = buf,
      callback = function()
        local gone = vim.v.fcs_reason == 'deleted'
        vim.v.fcs_choice = (gone or vim.bo[buf].modified) and '' or 'reload'
      end,
    })
  elseif not item and watched[buf] then
    api.nvim_del_autocmd(watched[buf])
    watched[buf] = nil
  end
end

return M
