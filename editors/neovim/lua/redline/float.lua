--- Floats that the user opens: they have the focus, `q` and <Esc> close them.

local M = {}
local api = vim.api

---@class redline.FloatOptions
---@field title string
---@field footer? string
---@field filetype? string
---@field modifiable? boolean
---@field above? boolean in the middle of the screen, over other floats

--- More lines than these are not measured: no screen holds them.
local MOST_LINES = 500

--- Lines needed to show text without cutting it.
---@param lines string[]
---@param width integer
---@return integer
function M.height(lines, width)
  local rows = 0
  for _, line in ipairs(vim.list_slice(lines, 1, MOST_LINES)) do
    rows = rows + math.max(1, math.ceil(vim.fn.strdisplaywidth(line) / width))
  end
  return rows
end

---@param lines string[]
---@param options redline.FloatOptions
---@return integer buf
---@return integer win
function M.open(lines, options)
  local buf = api.nvim_create_buf(false, true)
  api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].bufhidden = 'wipe'
  local widest = vim.fn.strdisplaywidth(options.title .. (options.footer or '')) + 6
  for _, line in ipairs(vim.list_slice(lines, 1, MOST_LINES)) do
    widest = math.max(widest, vim.fn.strdisplaywidth(line) + 1)
  end
  local width = math.max(20, math.min(widest, vim.o.columns - 6))
  local height = math.max(1, math.min(M.height(lines, width), math.floor(vim.o.lines * 0.6)))
  local place = {
    relative = 'cursor',
    row = 1,
    col = 0,
    width = width,
    height = height,
    border = 'rounded',
    title = ' ' .. options.title .. ' ',
    footer = options.footer and ' ' .. options.footer .. ' ' or nil,
    style = 'minimal',
  }
  if options.above then
    place.relative, place.zindex = 'editor', 80
    place.row = math.max(0, math.floor((vim.o.lines - height - 3) / 2))
    place.col = math.max(0, math.floor((vim.o.columns - width - 2) / 2))
  end
  local win = api.nvim_open_win(buf, true, place)
  vim.wo[win].wrap = true
  if options.filetype and options.filetype ~= '' then
    vim.bo[buf].filetype = options.filetype
  end
  vim.bo[buf].modifiable = options.modifiable == true
  local function close()
    if api.nvim_win_is_valid(win) then
      api.nvim_win_close(win, true)
    end
  end
  vim.keymap.set('n', 'q', close, { buffer = buf, nowait = true, desc = 'close' })
  if not options.modifiable then
    vim.keymap.set('n', '<Esc>', close, { buffer = buf, nowait = true, desc = 'close' })
  end
  return buf, win
end

return M
