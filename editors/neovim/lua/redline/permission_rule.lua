--- The second step of an answer that saves rules: they are shown in a float, can be edited there,
--- and are saved by a word of its own. Leaving it goes back to the ask, and nothing is granted.

local Guard = require('redline.guard')
local rule_text = require('redline.rule_text')

local M = {}
local api = vim.api
local ns = api.nvim_create_namespace('redline-rule')

---@class redline.RuleEditor
---@field buf integer
---@field win integer
---@field id string of the ask
---@field title string
---@field hint string[]
---@field above integer rows of the ask below it, without its border
---@field save fun(rules: string)
---@field back fun() after it was left
---@type redline.RuleEditor?
local editor

---@param it redline.RuleEditor
---@return integer
local function width(it)
  local widest = vim.fn.strdisplaywidth(it.title) + 4
  for _, line in ipairs(vim.list_extend(api.nvim_buf_get_lines(it.buf, 0, -1, false), it.hint)) do
    widest = math.max(widest, vim.fn.strdisplaywidth(line:sub(1, 1000)) + 3)
  end
  return math.max(20, math.min(math.max(46, widest), vim.o.columns - 8))
end

---@param it redline.RuleEditor
---@param height integer
---@return vim.api.keyset.win_config
local function geometry(it, height)
  local bottom = vim.o.lines - vim.o.cmdheight - (vim.o.laststatus > 0 and 1 or 0)
  -- the ask stays in view below it, if the screen is high enough for both
  local row = bottom - it.above - 2
  return {
    relative = 'editor',
    anchor = 'SE',
    row = row >= height + 2 and row or bottom,
    col = vim.o.columns,
    width = width(it),
    height = math.max(1, math.min(height, bottom - 3)),
    border = 'rounded',
    zindex = 70,
    title = { { ' ' .. it.title .. ' ', 'RedlineKey' } },
    footer = { { ' <CR> save it and run · q back ', 'RedlineHint' } },
    footer_pos = 'right',
  }
end

---@param id string
---@return boolean
function M.is_open(id)
  return editor ~= nil and editor.id == id
end

--- Closes it without a word; whether it was there for that ask.
---@param id? string nil: whichever
---@return boolean
function M.close(id)
  local old = editor
  if not old or (id and old.id ~= id) then
    return false
  end
  editor = nil
  vim.cmd.stopinsert()
  if api.nvim_get_current_win() == old.win then
    old.back()
  end
  if api.nvim_win_is_valid(old.win) then
    api.nvim_win_close(old.win, true)
  end
  return true
end

---@param it redline.RuleEditor
---@param waiting redline.Waiting
---@param text string
local function save(it, waiting, text)
  local rules = rule_text.taken(waiting, text)
  if rules then
    it.save(rules)
    M.close(waiting.id)
  end
end

---@param it redline.RuleEditor
---@param waiting redline.Waiting
---@param guard redline.Guard
local function map(it, waiting, guard)
  local function key(lhs, desc, act)
    vim.keymap.set('n', lhs, act, { buffer = it.buf, nowait = true, desc = desc })
  end
  local function text()
    return table.concat(api.nvim_buf_get_lines(it.buf, 0, -1, false), '\n')
  end
  local function back()
    M.close()
  end
  key('<CR>', 'save it and run', function()
    if guard:is_open() then
      save(it, waiting, text())
    end
  end)
  key('q', 'back', back)
  key('<Esc>', 'back', back)
  api.nvim_create_autocmd('BufWriteCmd', {
    buffer = it.buf,
    callback = function()
      vim.bo[it.buf].modified = false
      local written, open = text(), guard:is_open()
      -- not while it is being written; `:wq` has closed it by then
      vim.schedule(function()
        if open then
          save(it, waiting, written)
        end
      end)
    end,
  })
end

---@param it redline.RuleEditor
local function follow(it)
  api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI' }, {
    buffer = it.buf,
    callback = function()
      M.place(it.above)
    end,
  })
  api.nvim_create_autocmd('BufWipeout', {
    buffer = it.buf,
    callback = function()
      -- by `:q`, not by us
      if editor == it then
        editor = nil
        vim.schedule(it.back)
      end
    end,
  })
end

--- Below the rules, wherever they end now.
---@param it redline.RuleEditor
local function draw_hint(it)
  local lines = { {} }
  for _, text in ipairs(it.hint) do
    table.insert(lines, { { text, 'RedlineHint' } })
  end
  api.nvim_buf_clear_namespace(it.buf, ns, 0, -1)
  local last = api.nvim_buf_line_count(it.buf) - 1
  api.nvim_buf_set_extmark(it.buf, ns, last, 0, { virt_lines = lines })
end

---@param waiting redline.Waiting
---@param choice redline.Choice
---@return integer buf
local function fill(waiting, choice)
  local buf = api.nvim_create_buf(false, true)
  local lines = vim.split(rule_text.draft(waiting, choice), '\n', { plain = true })
  api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  api.nvim_buf_set_name(buf, ('redline://rule/%s/%d'):format(waiting.id, buf))
  vim.bo[buf].buftype = 'acwrite'
  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].swapfile = false
  vim.bo[buf].modified = false
  return buf
end

--- Opens the rules of a choice.
---@param waiting redline.Waiting
---@param choice redline.Choice
---@param options { above: integer, save: fun(rules: string), back: fun() } as in redline.RuleEditor
function M.open(waiting, choice, options)
  M.close()
  local it = vim.tbl_extend('error', options, {
    buf = fill(waiting, choice),
    id = waiting.id,
    title = choice.label,
    hint = {
      'Counts ' .. rule_text.reach(waiting, choice) .. '.',
      'One rule a line; edit as you like.',
    },
  })
  -- the style is for the start only: it would undo the options below
  local place = vim.tbl_extend('error', geometry(it, 4), { style = 'minimal' })
  it.win = api.nvim_open_win(it.buf, true, place)
  vim.wo[it.win].wrap = true
  vim.wo[it.win].linebreak = true
  vim.wo[it.win].breakindent = true
  vim.wo[it.win].statuscolumn = ' '
  vim.wo[it.win].winhighlight = 'NormalFloat:NormalFloat,FloatBorder:RedlineSign'
  editor = it
  M.place(it.above)
  local guard = Guard.new()
  map(it, waiting, guard)
  follow(it)
  guard:settle()
end

--- After a change of its text or of the editor's size.
---@param above integer rows of the ask below it, without its border
function M.place(above)
  if editor and api.nvim_win_is_valid(editor.win) then
    editor.above = above
    draw_hint(editor)
    local height = api.nvim_win_text_height(editor.win, {}).all
    api.nvim_win_set_config(editor.win, geometry(editor, height))
  end
end

--- What it belongs to is over: it goes and says so. Whether it was there.
---@param id string
---@param why string
---@return boolean
function M.withdrawn(id, why)
  if not M.close(id) then
    return false
  end
  local text = 'redline: no longer asked (%s): the rule was not saved, nothing was allowed'
  vim.notify(text:format(why), vim.log.levels.WARN)
  return true
end

return M
