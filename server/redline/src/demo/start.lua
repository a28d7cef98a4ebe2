--- What Neovim does once it has started for `redline demo --editor nvim`: the recorded thread, the
--- file, the prompt, and a note with the keys.

---@class redline.Demo
---@field server string the path of the redline binary
---@field script string the recorded thread
---@field file string the file to look at
---@field prompt string what the user says

---@return string[]
local function note()
  local keys = require('redline.config').values.keys
  local function row(first, second, text)
    return (' %-4s%-5s%s'):format(keys[first] or '', keys[second] or '', text)
  end
  return {
    ' Redline demo',
    '',
    row('next', 'prev', 'next, previous hunk'),
    row('accept', 'reject', 'accept, reject it'),
    row('accept_file', 'reject_file', 'the whole file'),
    row('comment', '', 'reject it and say why'),
    '',
    ' Then: :Redline prompt run the tests',
    ' Leave: :qa!   More: :help redline',
  }
end

--- At the top right, out of the way of the text and of asks; the focus stays where it is.
local function show_note()
  local lines = note()
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].bufhidden = 'wipe'
  local widths = vim.tbl_map(vim.fn.strdisplaywidth, lines)
  vim.api.nvim_open_win(buf, false, {
    relative = 'editor',
    anchor = 'NE',
    row = 1,
    col = vim.o.columns - 1,
    width = math.max(unpack(widths)) + 1,
    height = #lines,
    style = 'minimal',
    border = 'rounded',
    focusable = false,
  })
end

---@param demo redline.Demo
return function(demo)
  local found, redline = pcall(require, 'redline')
  if not found then
    local hint = 'The Redline plugin was not found: set REDLINE_NVIM_PLUGIN to its folder.'
    vim.notify(hint, vim.log.levels.ERROR)
    return
  end
  redline.setup({
    cmd = { demo.server, 'lsp' },
    settings = { provider = 'script', script = demo.script },
  })
  vim.lsp.enable('redline')
  vim.cmd.edit(vim.fn.fnameescape(demo.file))
  show_note()
  vim.schedule(function()
    vim.cmd('Redline prompt ' .. demo.prompt)
  end)
end
