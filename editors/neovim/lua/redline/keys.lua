--- Buffer-local keys, only while there are hunks; maps that were there before come back. A buffer
--- without hunks of its own has just the keys that lead to the others.

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

---@alias redline.KeyLevel 'all'|'jump'

---@class redline.Installed
---@field level redline.KeyLevel
---@field maps { mode: string, lhs: string, old?: table }[]

---@type table<integer, redline.Installed>
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
---@param level redline.KeyLevel
local function install(buf, level)
  local maps = {}
  installed[buf] = { level = level, maps = maps }
  for name, def in pairs(M.defs) do
    local wanted = level == 'all' or name == 'next' or name == 'prev'
    local lhs = wanted and config.values.keys[name]
    for _, mode in ipairs(lhs and def.modes or {}) do
      table.insert(maps, { mode = mode, lhs = lhs, old = previous(buf, mode, lhs) })
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
  for _, map in ipairs(installed[buf].maps) do
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
---@param level redline.KeyLevel|nil
function M.set(buf, level)
  local now = installed[buf]
  if (now and now.level) == level then
    return
  end
  if now and vim.api.nvim_buf_is_valid(buf) then
    remove(buf)
  end
  installed[buf] = nil
  if level then
    install(buf, level)
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
