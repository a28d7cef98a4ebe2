--- What is there before a server runs: the command, <Plug> maps, highlight groups, autocommands.

local M = {}
local api = vim.api

---@param buf integer
local function attach_plain(buf)
  if not api.nvim_buf_is_valid(buf) or vim.bo[buf].buftype ~= '' or vim.bo[buf].filetype ~= '' then
    return
  end
  local named = api.nvim_buf_get_name(buf) ~= ''
  if named and vim.lsp.is_enabled and vim.lsp.is_enabled('redline') then
    require('redline.client').start(buf)
  end
end

--- The first line's virtual lines are hidden again after gg: show them when the window gets there.
local function scrolled()
  local view = package.loaded['redline.view']
  for id, moved in pairs(vim.v.event) do
    local win = tonumber(id)
    if view and win and moved.topline < 0 and api.nvim_win_is_valid(win) then
      local above = view.above[api.nvim_win_get_buf(win)] or 0
      if above > 0 then
        view.show_top(win, above)
      end
    end
  end
end

local function resized()
  local view = package.loaded['redline.view']
  for buf in pairs(view and view.above or {}) do
    if api.nvim_buf_is_valid(buf) then
      view.draw(buf)
    end
  end
  if package.loaded['redline.permission_float'] then
    require('redline.permission_float').place()
  end
end

local function recolour()
  require('redline.highlight').refresh()
end

---@param event table
local function attached(event)
  local client = vim.lsp.get_client_by_id(event.data.client_id)
  if client and client.name == 'redline' then
    require('redline.review').watch(event.buf)
  end
end

---@param event table
local function moved(event)
  local view = package.loaded['redline.view']
  if view and view.above[event.buf] then
    require('redline.hint').draw(event.buf)
  end
end

local function autocommands()
  local group = api.nvim_create_augroup('redline', {})
  local function on(events, callback, pattern)
    api.nvim_create_autocmd(events, { group = group, pattern = pattern, callback = callback })
  end
  on('ColorScheme', recolour)
  on('OptionSet', recolour, 'background')
  on('LspAttach', attached)
  on({ 'CursorMoved', 'CursorMovedI', 'BufEnter' }, moved)
  on('WinScrolled', scrolled)
  on({ 'WinResized', 'VimResized', 'BufWinEnter' }, resized)
  on({ 'BufReadPost', 'BufNewFile', 'BufFilePost' }, function(event)
    vim.schedule(function()
      attach_plain(event.buf)
    end)
  end)
end

---@return boolean
function M.start()
  require('redline.highlight').refresh()
  require('redline.command').create()
  require('redline.keys').plugs()
  autocommands()
  return true
end

return M
