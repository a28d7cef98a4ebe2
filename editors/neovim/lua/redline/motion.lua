--- Moving between hunks, and opening files. Nothing here is called unless the user asked, or the
--- server was asked to open a file.

local buffers = require('redline.buffers')
local hunks = require('redline.hunks')
local view = require('redline.view')

local M = {}
local api = vim.api

---@param uri string
---@return integer buf
local function load(uri)
  local buf = buffers.find(uri)
  if not buf then
    buf = vim.fn.bufadd(vim.uri_to_fname(uri))
    vim.bo[buf].buflisted = true
  end
  return buf
end

---@param uri string
local function show(uri)
  local buf = load(uri)
  if buf ~= api.nvim_get_current_buf() then
    vim.cmd(('hide buffer %d'):format(buf))
  end
end

--- Puts the cursor on a hunk: jump mark set, folds open, its virtual lines in sight.
---@param item redline.Item
function M.go(item)
  vim.cmd("normal! m'")
  show(item.uri)
  local buf = api.nvim_get_current_buf()
  local row = item.first
  if item.first == item.last and row > 0 then
    row = row - 1
  end
  api.nvim_win_set_cursor(0, { math.min(row + 1, api.nvim_buf_line_count(buf)), 0 })
  vim.cmd('silent! normal! zv')
  M.reveal(buf, item)
  require('redline.hint').draw(buf)
end

--- Scrolls so that the new lines below a hunk are in sight too, as far as they fit.
---@param buf integer
---@param item redline.Item
function M.reveal(buf, item)
  vim.cmd.redraw()
  if item.first == 0 and item.last == 0 and (view.above[buf] or 0) > 0 then
    vim.fn.winrestview({ topline = 1 })
    view.show_top(0, view.above[buf])
    return
  end
  local row = math.max(item.first, item.last - 1)
  local height = api.nvim_win_get_height(0)
  local text =
    api.nvim_win_text_height(0, { start_row = math.max(0, item.first - 1), end_row = row })
  local last_visible = vim.fn.line('w$')
  local screen = vim.fn.winline() + text.all
  if (screen > height or row + 1 >= last_visible) and text.all < height then
    vim.cmd('normal! zz')
    if vim.fn.winline() + text.all > height then
      vim.cmd('normal! zt')
    end
  end
end

---@param item redline.Item
---@return integer row of the cursor for a hunk
local function cursor_row(item)
  return item.first == item.last and math.max(0, item.first - 1) or item.first
end

---@param uri string
---@param step 1|-1
---@return redline.Item?
local function in_other_file(uri, step)
  local uris = hunks.uris()
  if #uris == 0 then
    return nil
  end
  local at = step == 1 and 1 or #uris
  for i, other in ipairs(uris) do
    if other == uri then
      at = i + step
      break
    elseif step == 1 and other < uri then
      at = i + 1
    elseif step == -1 and other > uri then
      at = i - 1
      break
    end
  end
  local items = hunks.open(uris[(at - 1) % #uris + 1])
  return step == 1 and items[1] or items[#items]
end

--- Goes `count` hunks on (or back if negative); from the last of a file to the next file, at the
--- end back to the first.
---@param count integer
---@return boolean found
function M.jump(count)
  local step = count > 0 and 1 or -1
  for _ = 1, math.abs(count) do
    local uri = buffers.uri(api.nvim_get_current_buf())
    local row = api.nvim_win_get_cursor(0)[1] - 1
    local here = hunks.at(uri, row)
    local target
    local items = hunks.open(uri)
    for i = step == 1 and 1 or #items, step == 1 and #items or 1, step do
      local item = items[i]
      local ahead = (cursor_row(item) - row) * step > 0
      if ahead and not (here and here.hunk.id == item.hunk.id) then
        target = item
        break
      end
    end
    target = target or in_other_file(uri, step)
    if not target then
      vim.notify('redline: no hunks to review', vim.log.levels.INFO)
      return false
    end
    M.go(target)
  end
  return true
end

--- The textobject: the lines of the hunk at the cursor.
function M.select()
  local row = api.nvim_win_get_cursor(0)[1] - 1
  local item = hunks.at(buffers.uri(api.nvim_get_current_buf()), row)
  if not item or item.first == item.last then
    return
  end
  if vim.fn.mode():find('[vV\22]') then
    vim.cmd('normal! \27')
  end
  vim.cmd(('normal! %dGV%dG'):format(item.first + 1, item.last))
end

--- Handler of `redline/open`. A preview goes to the preview window and leaves the focus.
---@param params redline.OpenParams
---@param encoding redline.Encoding
function M.open(params, encoding)
  local buf = load(params.uri)
  if params.preview or vim.fn.mode() ~= 'n' then
    local name = api.nvim_buf_get_name(buf)
    vim.cmd('silent noswapfile pedit ' .. vim.fn.fnameescape(name))
    return
  end
  vim.cmd("normal! m'")
  show(params.uri)
  local start = params.range and params.range.start
  if start then
    local row = math.min(start.line, api.nvim_buf_line_count(buf) - 1)
    local text = api.nvim_buf_get_lines(buf, row, row + 1, false)[1]
    local col = vim.str_byteindex(text, encoding, start.character, false)
    api.nvim_win_set_cursor(0, { row + 1, col })
    vim.cmd('silent! normal! zv')
  end
end

return M
