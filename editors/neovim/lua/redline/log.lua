--- The buffer redline://log: what was asked, said and done.

local M = {}
local api = vim.api

---@type integer?
local buf
---@type table<string, integer> tool call → its line, as an extmark
local calls = {}
---@type table<string, string> tool call → the last call of its subagent
local newest = {}
local ns = api.nvim_create_namespace('redline-log')

---@return integer
local function buffer()
  if buf and api.nvim_buf_is_valid(buf) then
    return buf
  end
  buf = api.nvim_create_buf(false, true)
  api.nvim_buf_set_name(buf, 'redline://log')
  vim.bo[buf].filetype = 'markdown'
  vim.bo[buf].bufhidden = 'hide'
  vim.bo[buf].modifiable = false
  calls, newest = {}, {}
  return buf
end

---@param change fun(b: integer)
local function write(change)
  local b = buffer()
  local follow = {}
  for _, win in ipairs(vim.fn.win_findbuf(b)) do
    if api.nvim_win_get_cursor(win)[1] == api.nvim_buf_line_count(b) then
      table.insert(follow, win)
    end
  end
  vim.bo[b].modifiable = true
  change(b)
  vim.bo[b].modifiable = false
  vim.bo[b].modified = false
  for _, win in ipairs(follow) do
    api.nvim_win_set_cursor(win, { api.nvim_buf_line_count(b), 0 })
  end
end

---@param text string as it streams in
function M.append(text)
  write(function(b)
    local lines = vim.split(text, '\n', { plain = true })
    api.nvim_buf_set_text(b, -1, -1, -1, -1, lines)
  end)
end

--- A line of its own.
---@param text string
---@return integer row
function M.heading(text)
  local row
  write(function(b)
    local last = api.nvim_buf_get_lines(b, -2, -1, false)[1]
    local lines = vim.split(text, '\n', { plain = true })
    local first = last == '' and -2 or -1
    api.nvim_buf_set_lines(b, first, -1, false, vim.list_extend(lines, { '' }))
    row = api.nvim_buf_line_count(b) - 2
  end)
  return row
end

--- The diagram that a call showed, as a fenced block; empty if it showed none.
---@param event redline.ThreadEventBody
---@return string[]
local function diagram(event)
  local code = (event.args or {}).code
  if event.name ~= 'mermaid' or event.status ~= 'done' or type(code) ~= 'string' then
    return {}
  end
  local fence = '```'
  for run in code:gmatch('`+') do
    fence = #run >= #fence and run .. '`' or fence
  end
  local lines = vim.split(vim.trim(code), '\n', { plain = true })
  return vim.iter({ '', fence .. 'mermaid', lines, fence, '' }):flatten():totable()
end

---@param call? string
---@return integer? row
local function row_of(call)
  local mark = call and calls[call]
  return mark and api.nvim_buf_get_extmark_by_id(buffer(), ns, mark, {})[1]
end

--- A line of its own: at the end, or below the calls of the same subagent.
---@param line string
---@param parent? string the call that sent the subagent
---@return integer row
local function add(line, parent)
  local above = row_of(newest[parent or '']) or row_of(parent)
  if not above then
    return M.heading(line)
  end
  write(function(b)
    api.nvim_buf_set_lines(b, above + 1, above + 1, false, { line })
  end)
  return above + 1
end

--- One line a tool call, and below it the diagram that it showed.
---@param event redline.ThreadEventBody
---@param indent? string
---@return string[]
function M.lines(event, indent)
  local time = event.elapsedMs and (' (%.1f s)'):format(event.elapsedMs / 1000) or ''
  local title = (event.title or event.name or ''):gsub('\n', ' ')
  local line = ('%s- %s: %s%s'):format(indent or '', event.status or '', title, time)
  return vim.list_extend({ line }, diagram(event))
end

--- A tool call, brought up to date as it goes on; a subagent's is indented below the call that sent
--- it.
---@param event redline.ThreadEventBody
---@param parent? string the call that sent the subagent
function M.tool(event, parent)
  local lines = M.lines(event, parent and '  ')
  local id = event.toolCallId or ''
  local call = parent and parent .. '/' .. id or id
  local row = row_of(call)
  if row then
    write(function(b)
      -- The text and not the line: the mark must stay on it, and move when a line comes above.
      api.nvim_buf_set_text(b, row, 0, row, -1, { lines[1] })
      api.nvim_buf_set_lines(b, row + 1, row + 1, false, vim.list_slice(lines, 2))
    end)
    return
  end
  row = add(lines[1], parent)
  calls[call] = api.nvim_buf_set_extmark(buffer(), ns, row, 0, {})
  if parent then
    newest[parent] = call
  end
  write(function(b)
    api.nvim_buf_set_lines(b, row + 1, row + 1, false, vim.list_slice(lines, 2))
  end)
end

--- Opens the log in a split.
function M.open()
  local b = buffer()
  local win = vim.fn.win_findbuf(b)[1]
  if win then
    api.nvim_set_current_win(win)
    return
  end
  vim.cmd('botright 12split')
  api.nvim_win_set_buf(0, b)
  api.nvim_win_set_cursor(0, { api.nvim_buf_line_count(b), 0 })
end

return M
