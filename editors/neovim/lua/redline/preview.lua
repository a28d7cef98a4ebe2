--- Old and new text of a hunk in a float, to be read and copied: the cursor cannot enter virtual
--- lines. And a float in which the proposed text is edited before it is accepted.

local actions = require('redline.actions')
local float = require('redline.float')
local hunks = require('redline.hunks')
local position = require('redline.position')

local M = {}
local api = vim.api
local ns = api.nvim_create_namespace('redline-preview')

---@return redline.Item?
local function here()
  local item = actions.items({})[1]
  if not item then
    vim.notify('redline: no hunk here', vim.log.levels.INFO)
  end
  return item
end

---@param item redline.Item
---@return string
local function origin(item)
  local from = item.hunk.origin or {}
  return table.concat({ from.agent or 'agent', from.tool or 'edit' }, ' · ')
end

function M.show()
  local item = here()
  if not item then
    return
  end
  local old, old_eol = position.lines(item.hunk.oldText)
  local new, new_eol = position.lines(item.hunk.newText)
  local index, total = hunks.index(item)
  local footer = item.hunk.state
    .. (item.hunk.mixed and ', with your own text' or '')
    .. (old_eol ~= new_eol and #old > 0 and #new > 0 and ', final EOL changes' or '')
  local filetype = vim.bo.filetype
  local lines = vim.list_extend(vim.list_extend({}, old), new)
  local title = ('Hunk %d/%d · %s'):format(index or 0, total, origin(item))
  local buf = float.open(lines, { title = title, footer = footer, filetype = filetype })
  for row = 0, #lines - 1 do
    api.nvim_buf_set_extmark(buf, ns, row, 0, {
      line_hl_group = row < #old and 'RedlineDelete' or 'RedlineAdd',
      strict = false,
    })
  end
end

--- Opens the proposed text for editing; `:w` accepts it, closing the float does nothing.
function M.edit()
  local item = here()
  if not item then
    return
  end
  local hunk, uri = item.hunk, item.uri
  local revision = hunks.files[uri].review.revision
  local lines = position.lines(hunk.newText)
  local buf, win = float.open(lines, {
    title = 'Edit, then accept',
    footer = ':w accepts · q leaves it pending',
    filetype = vim.bo.filetype,
    modifiable = true,
  })
  vim.bo[buf].buftype = 'acwrite'
  api.nvim_buf_set_name(buf, ('redline://edit/%s/%s'):format(hunk.id, buf))
  vim.bo[buf].modified = false
  api.nvim_create_autocmd('BufWriteCmd', {
    buffer = buf,
    callback = function()
      local text = M.text(api.nvim_buf_get_lines(buf, 0, -1, false), hunk)
      vim.bo[buf].modified = false
      actions.send({
        action = 'accept',
        uri = uri,
        hunks = { hunk.id },
        finalText = text,
        revision = revision,
      })
      vim.schedule(function()
        if api.nvim_win_is_valid(win) then
          api.nvim_win_close(win, true)
        end
      end)
    end,
  })
end

--- Edited lines as text with the hunk's own line ends.
---@param lines string[]
---@param hunk redline.Hunk
---@return string
function M.text(lines, hunk)
  local model = hunk.newText ~= '' and hunk.newText or hunk.oldText
  local eol = model:find('\r\n', 1, true) and '\r\n' or '\n'
  if #lines == 1 and lines[1] == '' and hunk.newText ~= eol then
    return ''
  end
  return table.concat(lines, eol) .. (model:sub(-1) == '\n' and eol or '')
end

return M
