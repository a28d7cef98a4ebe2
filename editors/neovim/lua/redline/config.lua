--- The options, their defaults, and what is wrong with those that a user gave.

local M = {}

---@class redline.Config
---@field cmd string[] the server's command line
---@field settings table sent as initializationOptions.redline (provider, model, script, …)
---@field keys table<string, string|false> action → key, while hunks are pending; false: no map
---@field hint boolean the "2/5 gy accept gz reject" on the current hunk
---@field signs boolean
---@field notify boolean one message when a turn ends
---@field permission { ui: 'float'|'select', keys: table<string, string>, guard_ms: integer }
M.defaults = {
  cmd = { 'redline', 'lsp' },
  settings = {},
  keys = {
    next = ']x',
    prev = '[x',
    accept = 'gy',
    accept_file = 'gY',
    reject = 'gz',
    reject_file = 'gZ',
    edit = 'gl',
    comment = 'gb',
    preview = 'gK',
    textobject = 'ih',
  },
  hint = true,
  signs = true,
  notify = true,
  permission = {
    ui = 'float',
    guard_ms = 300,
    keys = {
      once = 'o',
      session = 's',
      folder = 'f',
      always = 'a',
      reject = 'r',
      acceptAndRun = 'y',
      saveAndRun = 'w',
      runWithout = 'x',
      comment = 'c',
      show = 'v',
      trust = 't',
      later = 'n',
    },
  },
}

---@type redline.Config
M.values = vim.deepcopy(M.defaults)

--- Every option that is unknown or of the wrong type, as a sentence. Used by |:checkhealth| too.
---@param given table
---@param known? table
---@param path? string
---@return string[]
function M.problems(given, known, path)
  known, path = known or M.defaults, path or ''
  local found = {}
  for name, value in pairs(given) do
    local default = known[name]
    local full = path .. name
    if default == nil and path ~= 'settings.' then
      table.insert(found, ('unknown option "%s"'):format(full))
    elseif default ~= nil and type(value) ~= type(default) and value ~= false then
      table.insert(found, ('option "%s" must be a %s'):format(full, type(default)))
    elseif type(default) == 'table' and type(value) == 'table' and name ~= 'cmd' then
      if name ~= 'settings' then
        vim.list_extend(found, M.problems(value, default, full .. '.'))
      end
    end
  end
  table.sort(found)
  return found
end

---@param given? table
function M.set(given)
  given = given or {}
  local problems = M.problems(given)
  M.given = given
  M.values = vim.tbl_deep_extend('force', vim.deepcopy(M.defaults), given)
  for _, problem in ipairs(problems) do
    vim.notify('redline: ' .. problem .. ' (see :help redline-options)', vim.log.levels.WARN)
  end
end

return M
