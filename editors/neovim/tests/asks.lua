--- Asks for the tests of the float and of the picker.

local Fake = require('fake')

local M = {}

M.rule = "allow Bash --cmd 'cargo test --workspace'"

--- A check with a.txt open, without the first moments in which keys are ignored.
---@param check fun(f: table, nvim: table)
---@param options? table
function M.with(check, options)
  local all = {
    files = { ['a.txt'] = 'one\ntwo\n' },
    open = 'a.txt',
    setup = { permission = { guard_ms = 0 } },
  }
  Fake.with(vim.tbl_extend('force', all, options or {}), check)
end

--- The same with vim.ui.select. `user`: what is chosen and typed, in order; false: dismissed.
---@param check fun(f: table, nvim: table, user: fun(list: any[]))
---@param permission? table
function M.with_picker(check, permission)
  local setup = vim.tbl_extend('force', { ui = 'select', guard_ms = 0 }, permission or {})
  M.with(function(f, nvim)
    nvim:lua([[
      vim.g.prompts, vim.g.items, _G.user = {}, {}, {}
      local function say(options, act)
        vim.g.prompts = vim.list_extend(vim.g.prompts, { options.prompt })
        -- later, as with any picker that does not block; what nobody answers stays open
        vim.schedule(function()
          if #_G.user > 0 then act(table.remove(_G.user, 1)) end
        end)
      end
      vim.ui.select = function(items, options, choose)
        local labels = vim.tbl_map(options.format_item, items)
        vim.g.items = labels
        say(options, function(word)
          for i, label in ipairs(labels) do
            if word and vim.startswith(label, word) then return choose(items[i]) end
          end
          choose(nil)
        end)
        _G.late = function(n) choose(items[n]) end
      end
      vim.ui.input = function(options, done)
        say(options, function(text)
          if text == 'DEFAULT' then text = options.default end
          done(text or nil)
        end)
      end
    ]])
    check(f, nvim, function(list)
      nvim:lua('vim.g.prompts = {}; _G.user = ' .. vim.inspect(list))
    end)
  end, { setup = { permission = setup } })
end

---@param id string
---@param more? table
---@return table
function M.ask(id, more)
  return vim.tbl_extend('force', {
    askId = id,
    title = 'Run a command?',
    tool = 'Bash',
    args = { cmd = 'cargo test --workspace # ' .. id },
    cwd = '/tmp/w',
    reason = {
      action = 'ask',
      rule = 'ask Bash',
      source = 'built-in',
      line = 12,
      text = 'No rule allows it: ask Bash (built-in rules, line 12).',
    },
    options = {
      { id = 'once', label = 'Allow once' },
      { id = 'session', label = 'Allow for the session', covers = M.rule },
      { id = 'folder', label = 'Always in this folder', covers = M.rule },
      { id = 'always', label = 'Always everywhere', covers = M.rule },
      { id = 'reject', label = 'Reject' },
    },
    queue = { index = 1, total = 1 },
  }, more or {})
end

---@param id string
---@param more? table
---@return table
function M.trust(id, more)
  return vim.tbl_extend('force', {
    trustId = id,
    folder = '/tmp/w',
    files = { '.redline/settings.json', '.mcp.json' },
    text = "allow Bash --cmd 'make *'  (.redline/settings.json:3)\nprovider: script",
    changed = false,
  }, more or {})
end

---@param nvim table
---@return integer
function M.count(nvim)
  return nvim:lua('return require("redline.permission").count()')
end

--- Stops the clock of the child at so many milliseconds.
---@param nvim table
---@param at number
function M.clock(nvim, at)
  nvim:lua('local at = ...; require("redline.clock").now = function() return at end', at)
end

--- Where the cursor is: 'a.txt', 'ask', 'rule' or 'text'.
---@param nvim table
---@return string
function M.place(nvim)
  return nvim:lua([[
    local name = vim.fn.expand('%:t')
    if vim.api.nvim_buf_get_name(0):find('^redline://rule/') then return 'rule' end
    if vim.api.nvim_win_get_config(0).relative == '' then return name end
    return vim.api.nvim_win_get_config(0).zindex == 60 and 'ask' or 'text'
  ]])
end

return M
