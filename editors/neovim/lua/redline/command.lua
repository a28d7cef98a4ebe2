--- `:Redline`: one command, its subcommands as data.

local M = {}

---@class redline.Sub
---@field doc string
---@field run fun(opts: vim.api.keyset.create_user_command.command_args, text: string)
---@field complete? fun(): string[] of what comes after its name

---@param opts table
---@return redline.Scope
local function scope(opts)
  if opts.bang then
    return { everywhere = true }
  elseif opts.range > 0 then
    return { first = opts.line1 - 1, last = opts.line2 }
  end
  return {}
end

---@param opts table
---@return redline.Scope
local function file_scope(opts)
  return opts.bang and { everywhere = true } or { file = true }
end

---@param opts table
---@param text string
---@return integer
local function count(opts, text)
  return tonumber(text) or (opts.range > 0 and 1) or vim.v.count1
end

---@param opts table
---@return redline.Rows?
local function rows(opts)
  return opts.range > 0 and { first = opts.line1 - 1, last = opts.line2 } or nil
end

---@type table<string, redline.Sub>
M.subs = {
  prompt = {
    doc = 'tell the agent something; a range is sent along as the selection',
    run = function(opts, text)
      require('redline.thread').start(text, rows(opts))
    end,
  },
  new = {
    doc = 'the same in a new thread',
    run = function(opts, text)
      require('redline.thread').start(text, rows(opts), true)
    end,
  },
  accept = {
    doc = 'accept the hunk at the cursor, those in the range, or with ! every one of every file',
    run = function(opts)
      require('redline.actions').decide('accept', scope(opts))
    end,
  },
  reject = {
    doc = 'reject likewise; text after it is the comment',
    run = function(opts, text)
      require('redline.actions').decide('reject', scope(opts), text ~= '' and text or nil)
    end,
  },
  accept_all = {
    doc = 'accept every hunk of the file, with ! of every file',
    run = function(opts)
      require('redline.actions').decide('accept', file_scope(opts))
    end,
  },
  reject_all = {
    doc = 'reject every hunk of the file, with ! of every file',
    run = function(opts, text)
      require('redline.actions').decide('reject', file_scope(opts), text ~= '' and text or nil)
    end,
  },
  reopen = {
    doc = 'make the nearest decided hunk pending again, with ! all of the file',
    run = function(opts)
      require('redline.actions').reopen({ file = opts.bang })
    end,
  },
  rewind = {
    doc = 'back to before a turn of the agent; without its number: choose',
    run = function(_, text)
      require('redline.rewind').start(text)
    end,
    complete = function()
      return require('redline.rewind').numbers()
    end,
  },
  next = {
    doc = 'go to the next hunk, also in other files',
    run = function(opts, text)
      require('redline.motion').jump(count(opts, text))
    end,
  },
  prev = {
    doc = 'go to the previous hunk, also in other files',
    run = function(opts, text)
      require('redline.motion').jump(-count(opts, text))
    end,
  },
  comment = {
    doc = 'reject with a comment',
    run = function(opts, text)
      require('redline.actions').comment(scope(opts), text)
    end,
  },
  edit = {
    doc = 'edit the proposed text; :w accepts what you made of it',
    run = function()
      require('redline.preview').edit()
    end,
  },
  preview = {
    doc = 'old and new text in a float',
    run = function()
      require('redline.preview').show()
    end,
  },
  qflist = {
    doc = 'all hunks in the quickfix list',
    run = function()
      require('redline.quickfix').open()
    end,
  },
  permission = {
    doc = 'go into the ask that waits',
    run = function()
      require('redline.permission').focus()
    end,
  },
  trust = {
    doc = 'ask again whether the rules of this folder count',
    run = function()
      require('redline.grants').trust()
    end,
  },
  grants = {
    doc = 'what you have allowed for the session or for good; choose one to take it back',
    run = function()
      require('redline.grants').choose()
    end,
  },
  stop = {
    doc = 'stop the agent',
    run = function()
      require('redline.thread').stop()
    end,
  },
  status = {
    doc = 'what the server says of itself',
    run = function()
      require('redline.thread').status()
    end,
  },
  log = {
    doc = 'what was asked, said and done',
    run = function()
      require('redline.log').open()
    end,
  },
}

---@param opts vim.api.keyset.create_user_command.command_args
function M.run(opts)
  local name, text = opts.args:match('^(%S+)%s*(.*)$')
  local sub = M.subs[name]
  if not sub then
    local known = vim.tbl_keys(M.subs)
    table.sort(known)
    vim.notify(
      ('redline: no command "%s"; there are: %s'):format(name, table.concat(known, ', ')),
      vim.log.levels.ERROR
    )
    return
  end
  sub.run(opts, text)
end

---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local function fits(name)
    return vim.startswith(name, lead)
  end
  local sub = line:match('Redline!?%s+(%S+)%s')
  if sub then
    local complete = (M.subs[sub] or {}).complete
    return complete and vim.tbl_filter(fits, complete()) or {}
  end
  local found = vim.tbl_filter(fits, vim.tbl_keys(M.subs))
  table.sort(found)
  return found
end

function M.create()
  vim.api.nvim_create_user_command('Redline', M.run, {
    nargs = '+',
    bang = true,
    range = true,
    complete = M.complete,
    desc = 'Redline: review what the agent proposes',
  })
end

return M
