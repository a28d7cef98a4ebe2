--- The ask in a float at the bottom right. It appears without focus; keys work once the user has
--- gone into it (`:Redline permission`), and not in the first moments, so that no typing that was
--- meant for something else can allow anything.

local config = require('redline.config')
local text = require('redline.ask_text')

local M = {}
local api = vim.api
local ns = api.nvim_create_namespace('redline-ask')

---@class redline.AskWindow
---@field buf integer
---@field win integer
---@field ask_id string
---@field since number milliseconds, when this ask could first be read
---@type redline.AskWindow?
local window

---@param rows redline.AskLine[]
---@return string[] lines
---@return { [1]: integer, [2]: integer, [3]: integer, [4]: string }[] marks
local function flatten(rows)
  local lines, marks = {}, {}
  for row, chunks in ipairs(rows) do
    local line = ''
    for _, chunk in ipairs(chunks) do
      table.insert(marks, { row - 1, #line, #line + #chunk[1], chunk[2] })
      line = line .. chunk[1]
    end
    lines[row] = line
  end
  return lines, marks
end

---@param lines string[]
---@param title string
---@return vim.api.keyset.win_config
local function geometry(lines, title)
  local widest = vim.fn.strdisplaywidth(title) + 4
  for _, line in ipairs(lines) do
    widest = math.max(widest, vim.fn.strdisplaywidth(line) + 2)
  end
  local width = math.max(10, math.min(widest, math.max(30, vim.o.columns - 8)))
  local rows = 0
  for _, line in ipairs(lines) do
    -- wrapped lines are indented by seven cells (breakindent)
    local cells = vim.fn.strdisplaywidth(line)
    rows = rows + (cells <= width and 1 or 1 + math.ceil((cells - width) / math.max(1, width - 10)))
  end
  return {
    relative = 'editor',
    anchor = 'SE',
    row = vim.o.lines - vim.o.cmdheight - (vim.o.laststatus > 0 and 1 or 0),
    col = vim.o.columns,
    width = width,
    height = math.max(1, math.min(rows, vim.o.lines - 6)),
    border = 'rounded',
    style = 'minimal',
    zindex = 60,
    title = { { ' ' .. title .. ' ', 'RedlineKey' } },
    footer = { { ' :Redline permission to answer ', 'RedlineHint' } },
    footer_pos = 'right',
  }
end

---@param ask redline.Ask
---@param option { id: redline.OptionId, covers?: string }
---@param comment? string
local function answer(ask, option, comment)
  local permission = require('redline.permission')
  permission.answer(ask.askId, permission.answer_for(option, comment))
end

---@param ask redline.Ask
local function comment(ask)
  vim.ui.input({ prompt = 'Reject, because: ' }, function(why)
    if why and why ~= '' then
      answer(ask, { id = 'reject' }, why)
    end
  end)
end

---@param buf integer
---@param ask redline.Ask
local function map(buf, ask)
  local keys = config.values.permission.keys
  local function key(lhs, desc, act)
    if not lhs then
      return
    end
    vim.keymap.set('n', lhs, function()
      if window and vim.uv.now() - window.since >= config.values.permission.guard_ms then
        act()
      end
    end, { buffer = buf, nowait = true, desc = desc })
  end
  for _, lhs in ipairs(vim.tbl_values(keys)) do
    if lhs then
      vim.keymap.set('n', lhs, '<Nop>', { buffer = buf, nowait = true })
    end
  end
  for _, option in ipairs(ask.options) do
    key(keys[option.id], option.label, function()
      answer(ask, option)
    end)
  end
  key(keys.comment, 'Reject, and say why', function()
    comment(ask)
  end)
  vim.keymap.set('n', '<Tab>', function()
    require('redline.permission').later()
  end, { buffer = buf, nowait = true, desc = 'next ask' })
  for _, lhs in ipairs({ 'q', '<Esc>' }) do
    vim.keymap.set('n', lhs, '<Cmd>wincmd p<CR>', { buffer = buf, nowait = true, desc = 'leave' })
  end
end

---@param ask redline.Ask
---@return integer buf
local function fill(ask)
  local buf = window and window.buf or api.nvim_create_buf(false, true)
  vim.bo[buf].modifiable = true
  local lines, marks = flatten(text.lines(ask, config.values.permission.keys))
  api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  api.nvim_buf_clear_namespace(buf, ns, 0, -1)
  for _, m in ipairs(marks) do
    api.nvim_buf_set_extmark(buf, ns, m[1], m[2], { end_col = m[3], hl_group = m[4] })
  end
  vim.bo[buf].modifiable = false
  vim.bo[buf].bufhidden = 'hide'
  return buf
end

---@param open redline.OpenAsk
---@param index integer
---@param total integer
function M.show(open, index, total)
  local ask = open.ask
  local title = ('%s %d/%d'):format(text.title(ask), index, total)
  local buf = fill(ask)
  local place = geometry(api.nvim_buf_get_lines(buf, 0, -1, false), title)
  local fresh = not window or window.ask_id ~= ask.askId
  local since = fresh and vim.uv.now() or window.since
  if window and api.nvim_win_is_valid(window.win) then
    api.nvim_win_set_config(window.win, place)
    window = { buf = buf, win = window.win, ask_id = ask.askId, since = since }
  else
    place.noautocmd = true
    window =
      { buf = buf, win = api.nvim_open_win(buf, false, place), ask_id = ask.askId, since = since }
    vim.wo[window.win].wrap = true
    vim.wo[window.win].linebreak = true
    vim.wo[window.win].breakindent = true
    vim.wo[window.win].breakindentopt = 'shift:7'
    vim.wo[window.win].winhighlight = 'NormalFloat:NormalFloat,FloatBorder:RedlineSign'
  end
  map(buf, ask)
end

--- Into the float. The guard starts anew: the user has just typed a command.
---@param open redline.OpenAsk
---@param index integer
---@param total integer
function M.focus(open, index, total)
  if not window or not api.nvim_win_is_valid(window.win) then
    window = nil
    M.show(open, index, total)
  end
  window.since = vim.uv.now()
  api.nvim_set_current_win(window.win)
  api.nvim_win_set_config(window.win, {
    footer = { { ' <Tab> next · q leave it open ', 'RedlineHint' } },
    footer_pos = 'right',
  })
end

--- After a change of the editor's size.
function M.place()
  local open = require('redline.permission').current()
  if open and window and api.nvim_win_is_valid(window.win) then
    M.show(open, 1, require('redline.permission').count())
  end
end

function M.hide()
  if not window then
    return
  end
  local old = window
  window = nil
  if api.nvim_win_is_valid(old.win) then
    if api.nvim_get_current_win() == old.win then
      vim.cmd.wincmd('p')
    end
    api.nvim_win_close(old.win, true)
  end
  if api.nvim_buf_is_valid(old.buf) then
    api.nvim_buf_delete(old.buf, { force = true })
  end
end

return M
