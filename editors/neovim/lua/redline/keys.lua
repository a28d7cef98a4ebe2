--- Buffer-local keys, only while a buffer has hunks; maps that were there before come back.

local config = require('redline.config')

local M = {}

---@class redline.KeyDef
---@field modes string[]
---@field plug string
---@field doc string

---@type table<string, redline.KeyDef>
M.defs = {
  next = { modes = { 'n' }, plug = 'next', doc = 'next hunk, also in other files' },
  prev = { modes = { 'n' }, plug = 'prev', doc = 'previous hunk, also in other files' },
  accept = { modes = { 'n', 'x' }, plug = 'accept', doc = 'accept the hunk, or those selected' },
  accept_file = { modes = { 'n' }, plug = 'accept-all', doc = 'accept all hunks of the file' },
  reject = { modes = { 'n', 'x' }, plug = 'reject', doc = 'reject the hunk, or those selected' },
  reject_file = { modes = { 'n' }, plug = 'reject-all', doc = 'reject all hunks of the file' },
  edit = { modes = { 'n' }, plug = 'edit', doc = 'edit the proposed text, then accept it' },
  comment = { modes = { 'n', 'x' }, plug = 'comment', doc = 'reject with a comment' },
  preview = { modes = { 'n' }, plug = 'preview', doc = 'show old and new text in a float' },
  textobject = { modes = { 'o', 'x' }, plug = 'textobject', doc = 'the lines of the hunk' },
}

---@type table<integer, { mode: string, lhs: string, old?: table }[]>
local installed = {}

---@param buf integer
---@param mode string
---@param lhs string
---@return table?
local function previous(buf, mode, lhs)
  local found
  vim.api.nvim_buf_call(buf, function()
    local map = vim.fn.maparg(lhs, mode, false, true)
    found = map.buffer == 1 and map or nil
  end)
  return found
end

---@param buf integer
local function install(buf)
  installed[buf] = {}
  for name, def in pairs(M.defs) do
    local lhs = config.values.keys[name]
    for _, mode in ipairs(lhs and def.modes or {}) do
      table.insert(installed[buf], { mode = mode, lhs = lhs, old = previous(buf, mode, lhs) })
      vim.keymap.set(mode, lhs, ('<Plug>(redline-%s)'):format(def.plug), {
        buffer = buf,
        remap = true,
        nowait = true,
        desc = 'redline: ' .. def.doc,
      })
    end
  end
end

---@param buf integer
local function remove(buf)
  for _, map in ipairs(installed[buf]) do
    local now = previous(buf, map.mode, map.lhs)
    if now and vim.startswith(now.desc or '', 'redline: ') then
      vim.keymap.del(map.mode, map.lhs, { buffer = buf })
      if map.old then
        vim.api.nvim_buf_call(buf, function()
          vim.fn.mapset(map.mode, false, map.old)
        end)
      end
    end
  end
  installed[buf] = nil
end

--- Puts the keys in place or takes them away.
---@param buf integer
---@param on boolean
function M.set(buf, on)
  if on and not installed[buf] then
    install(buf)
  elseif not on and installed[buf] then
    if vim.api.nvim_buf_is_valid(buf) then
      remove(buf)
    end
    installed[buf] = nil
  end
end

--- The <Plug> maps, which do not depend on hunks. Each runs its `:Redline` command, in visual mode
--- with the range of the selection.
function M.plugs()
  local commands = {
    next = 'next',
    prev = 'prev',
    accept = 'accept',
    ['accept-all'] = 'accept_all',
    reject = 'reject',
    ['reject-all'] = 'reject_all',
    edit = 'edit',
    comment = 'comment',
    preview = 'preview',
    reopen = 'reopen',
    permission = 'permission',
    prompt = 'prompt',
    stop = 'stop',
  }
  for plug, command in pairs(commands) do
    local lhs = ('<Plug>(redline-%s)'):format(plug)
    vim.keymap.set('n', lhs, ('<Cmd>Redline %s<CR>'):format(command), { silent = true })
    vim.keymap.set('x', lhs, (':Redline %s<CR>'):format(command), { silent = true })
  end
  vim.keymap.set({ 'o', 'x' }, '<Plug>(redline-textobject)', function()
    require('redline.motion').select()
  end)
end

return M
