--- What waits in a float at the bottom right. It appears without focus; keys work once the user has
--- gone into it (`:Redline permission`), and not in the first moments, so that no typing that was
--- meant for something else can allow anything.

local Guard = require('redline.guard')
local card = require('redline.card')
local config = require('redline.config')
local fit = require('redline.card_fit')

local M = {}
local api = vim.api
local ns = api.nvim_create_namespace('redline-ask')

---@class redline.AskWindow
---@field buf integer
---@field win integer
---@field id string
---@field guard redline.Guard since what is in it could first be read
---@field height integer
---@type redline.AskWindow?
local window

---@type integer? where the user came from
local home

---@return table
local function permission()
  return require('redline.permission')
end

---@return boolean
local function is_shown()
  return window ~= nil and api.nvim_win_is_valid(window.win)
end

---@return boolean
local function is_inside()
  return is_shown() and api.nvim_get_current_win() == window.win
end

---@return string
local function footer()
  if window and require('redline.permission_rule').is_open(window.id) then
    return ' its rule is being edited '
  elseif not is_inside() then
    return ' :Redline permission to answer '
  elseif permission().count() > 1 then
    return ' <Tab> next · q leave it open '
  end
  return ' q leave it open '
end

--- Cells that a float may be wide, and rows that it may be high.
---@return integer width
---@return integer room
local function limits()
  return math.max(30, vim.o.columns - 8), math.max(8, vim.o.lines - 5)
end

local function update_footer()
  if is_shown() then
    local text = { { footer(), 'RedlineHint' } }
    api.nvim_win_set_config(window.win, { footer = text, footer_pos = 'right' })
  end
end

---@param lines string[]
---@param title string
---@return vim.api.keyset.win_config
local function geometry(lines, title)
  local most, room = limits()
  local widest = vim.fn.strdisplaywidth(title) + 4
  for _, line in ipairs(lines) do
    widest = math.max(widest, vim.fn.strdisplaywidth(line) + 2)
  end
  local width = math.max(10, math.min(widest, most))
  return {
    relative = 'editor',
    anchor = 'SE',
    row = vim.o.lines - vim.o.cmdheight - (vim.o.laststatus > 0 and 1 or 0),
    col = vim.o.columns,
    width = width,
    height = room,
    border = 'rounded',
    style = 'minimal',
    zindex = 60,
    title = { { ' ' .. title .. ' ', 'RedlineKey' } },
    footer = { { footer(), 'RedlineHint' } },
    footer_pos = 'right',
  }
end

--- Back to where the user was.
function M.leave()
  if home and api.nvim_win_is_valid(home) then
    api.nvim_set_current_win(home)
  else
    vim.cmd.wincmd('p')
  end
end

--- Into the float again, after a step that it led to.
function M.back()
  if is_shown() then
    api.nvim_set_current_win(window.win)
  else
    M.leave()
  end
end

---@param buf integer
---@param rows redline.Row[]
---@return string[] lines
local function fill(buf, rows)
  local lines, marks = fit.flatten(rows)
  vim.bo[buf].modifiable = true
  api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  api.nvim_buf_clear_namespace(buf, ns, 0, -1)
  for _, m in ipairs(marks) do
    api.nvim_buf_set_extmark(buf, ns, m[1], m[2], { end_col = m[3], hl_group = m[4] })
  end
  vim.bo[buf].modifiable = false
  vim.bo[buf].bufhidden = 'hide'
  return lines
end

--- The user has gone into the float, by whatever way: what was typed before is for nobody.
local function entered()
  if not is_inside() then
    return
  end
  local before = vim.fn.win_getid(vim.fn.winnr('#'))
  if api.nvim_win_get_config(before).relative == '' then
    home = before
  end
  update_footer()
  window.guard:settle()
end

---@param buf integer
---@param place vim.api.keyset.win_config
---@return integer win
local function open(buf, place)
  local win = api.nvim_open_win(buf, false, vim.tbl_extend('error', place, { noautocmd = true }))
  vim.wo[win].wrap = true
  vim.wo[win].linebreak = true
  vim.wo[win].breakindent = true
  vim.wo[win].breakindentopt = 'column:' .. fit.INDENT
  vim.wo[win].winhighlight = 'NormalFloat:NormalFloat,FloatBorder:RedlineSign'
  api.nvim_create_autocmd('WinEnter', { buffer = buf, callback = entered })
  api.nvim_create_autocmd('WinLeave', {
    buffer = buf,
    callback = vim.schedule_wrap(update_footer),
  })
  return win
end

--- Draws the card, and shortens it until its last line is on the screen.
---@param it redline.Card
---@param title string
---@return integer buf
---@return integer win
---@return integer height
local function draw(it, title)
  local most, room = limits()
  local buf = window and window.buf or api.nvim_create_buf(false, true)
  local left, win, height = room, nil, nil
  for _ = 1, 3 do
    local lines = fill(buf, fit.rows(it, config.values.permission.keys, left, most))
    local place = geometry(lines, title)
    win = is_shown() and window.win or win or open(buf, place)
    api.nvim_win_set_config(win, place)
    -- how words wrap is known only now
    height = api.nvim_win_text_height(win, {}).all
    place.height = math.min(height, room)
    api.nvim_win_set_config(win, place)
    if height <= room then
      break
    end
    left = left - (height - room)
  end
  return buf, win, math.min(height, room)
end

---@param waiting redline.Waiting
function M.show(waiting)
  local _, index = permission().find(waiting.id)
  local it = card.of(waiting)
  local title = card.title(it.title, index or 1, permission().count())
  local fresh = not window or window.id ~= waiting.id
  local buf, win, height = draw(it, title)
  local guard = not fresh and window.guard or Guard.new()
  window = { buf = buf, win = win, id = waiting.id, guard = guard, height = height }
  require('redline.permission_keys').map(buf, waiting, guard, height)
  if fresh and is_inside() then
    api.nvim_win_set_cursor(win, { 1, 0 })
    guard:settle()
  end
end

--- Into the float. The guard starts anew: the user has just typed a command.
---@param waiting redline.Waiting
function M.focus(waiting)
  if not is_shown() then
    M.show(waiting)
  end
  if is_inside() then
    window.guard:settle()
  else
    api.nvim_set_current_win(window.win)
  end
end

--- After a change of the editor's size.
function M.place()
  local current = permission().current()
  if current and is_shown() then
    M.show(current)
    require('redline.permission_rule').place(window.height)
  end
end

--- Whether something was being answered that is over now.
---@param id string
---@param why string
function M.gone(id, why)
  local said = require('redline.permission_rule').withdrawn(id, why)
  if not said and is_inside() and window.id == id then
    vim.notify(('redline: no longer asked (%s)'):format(why), vim.log.levels.WARN)
  end
end

function M.hide()
  if not window then
    return
  end
  local old, inside = window, is_inside()
  window = nil
  if inside then
    M.leave()
  end
  if api.nvim_win_is_valid(old.win) then
    api.nvim_win_close(old.win, true)
  end
  if api.nvim_buf_is_valid(old.buf) then
    api.nvim_buf_delete(old.buf, { force = true })
  end
end

return M
