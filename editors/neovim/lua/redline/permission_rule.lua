--- The second step of an answer that saves rules: they are shown in a float, can be edited there,
--- and are saved by a word of its own. Leaving it goes back to the ask, and nothing is granted.

local Guard = require('redline.guard')

local M = {}
local api = vim.api
local ns = api.nvim_create_namespace('redline-rule')

---@class redline.RuleEditor
---@field buf integer
---@field win integer
---@field id string of the ask
---@field title string
---@field hint string[]
---@type redline.RuleEditor?
local editor

--- What the server did not take: it asks once more, and the user goes on from there.
---@type { call: string, text: string }?
local refused

---@param waiting redline.Waiting
---@return string
local function call_of(waiting)
  return waiting.params.tool .. vim.json.encode(waiting.params.args)
end

--- The rules to start from, one a line.
---@param waiting redline.Waiting
---@param choice redline.Choice
---@return string
function M.draft(waiting, choice)
  if waiting.params.note and refused and refused.call == call_of(waiting) then
    return refused.text
  end
  return choice.covers
end

--- The user's rules; nil if there is none.
---@param waiting redline.Waiting
---@param lines string[]
---@return string?
function M.rules(waiting, lines)
  local rules = {}
  for _, line in ipairs(lines) do
    if vim.trim(line) ~= '' then
      table.insert(rules, vim.trim(line))
    end
  end
  if #rules == 0 then
    vim.notify('redline: there is no rule here, so nothing was allowed', vim.log.levels.WARN)
    return nil
  end
  local text = table.concat(rules, '\n')
  refused = { call = call_of(waiting), text = text }
  return text
end

--- Where and how long the rules count.
---@param waiting redline.Waiting
---@param choice redline.Choice
---@return string
function M.reach(waiting, choice)
  local client = vim.lsp.get_client_by_id(waiting.client_id)
  local folder = require('redline.folders').home(client, waiting.params.cwd)
  local reach = {
    session = 'until the server ends',
    folder = ('in %s, from now on'):format(
      folder and vim.fn.fnamemodify(folder, ':~') or 'this folder'
    ),
    always = 'in every folder, from now on',
  }
  return reach[choice.id] or ''
end

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
---@param above integer rows of the ask below it, without its border
---@return vim.api.keyset.win_config
local function geometry(it, height, above)
  local bottom = vim.o.lines - vim.o.cmdheight - (vim.o.laststatus > 0 and 1 or 0)
  -- the ask stays in view below it, if the screen is high enough for both
  local row = bottom - above - 2
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
  local inside = api.nvim_get_current_win() == old.win
  if inside then
    require('redline.permission_float').back()
  end
  if api.nvim_win_is_valid(old.win) then
    api.nvim_win_close(old.win, true)
  end
  return true
end

---@param waiting redline.Waiting
---@param choice redline.Choice
---@param lines string[]
local function save(waiting, choice, lines)
  local rules = M.rules(waiting, lines)
  if rules then
    require('redline.permission').answer(waiting.id, choice.id, { rule = rules })
    M.close()
  end
end

---@param buf integer
---@param waiting redline.Waiting
---@param choice redline.Choice
---@param guard redline.Guard
local function map(buf, waiting, choice, guard)
  local function key(lhs, desc, act)
    vim.keymap.set('n', lhs, act, { buffer = buf, nowait = true, desc = desc })
  end
  local function text()
    return api.nvim_buf_get_lines(buf, 0, -1, false)
  end
  key('<CR>', 'save it and run', function()
    if guard:is_open() then
      save(waiting, choice, text())
    end
  end)
  key('q', 'back', function()
    M.close()
  end)
  key('<Esc>', 'back', function()
    M.close()
  end)
  api.nvim_create_autocmd('BufWriteCmd', {
    buffer = buf,
    callback = function()
      vim.bo[buf].modified = false
      local lines, open = text(), guard:is_open()
      -- not while it is being written; `:wq` has closed it by then
      vim.schedule(function()
        if open then
          save(waiting, choice, lines)
        end
      end)
    end,
  })
  api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI' }, {
    buffer = buf,
    callback = function()
      require('redline.permission_float').place()
    end,
  })
  api.nvim_create_autocmd('BufWipeout', {
    buffer = buf,
    callback = function()
      editor = editor and editor.buf ~= buf and editor or nil
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
  local lines = require('redline.card').split(M.draft(waiting, choice))
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
---@param above integer rows of the ask below it, without its border
function M.open(waiting, choice, above)
  M.close()
  local hint =
    { 'Counts ' .. M.reach(waiting, choice) .. '.', 'One rule a line; edit as you like.' }
  local it = { buf = fill(waiting, choice), id = waiting.id, title = choice.label, hint = hint }
  -- the style is for the start only: it would undo the options below
  local place = vim.tbl_extend('error', geometry(it, 4, above), { style = 'minimal' })
  it.win = api.nvim_open_win(it.buf, true, place)
  vim.wo[it.win].wrap = true
  vim.wo[it.win].linebreak = true
  vim.wo[it.win].breakindent = true
  vim.wo[it.win].statuscolumn = ' '
  vim.wo[it.win].winhighlight = 'NormalFloat:NormalFloat,FloatBorder:RedlineSign'
  editor = it
  M.place(above)
  local guard = Guard.new()
  map(it.buf, waiting, choice, guard)
  guard:settle()
end

--- After a change of its text or of the editor's size.
---@param above integer
function M.place(above)
  if editor and api.nvim_win_is_valid(editor.win) then
    draw_hint(editor)
    local height = api.nvim_win_text_height(editor.win, {}).all
    api.nvim_win_set_config(editor.win, geometry(editor, height, above))
  end
end

return M
