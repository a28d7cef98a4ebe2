--- What the user has allowed so far, to be taken back, and the question of trust once more.

local client = require('redline.client')

local M = {}

---@class redline.Grant
---@field rule string text form
---@field source 'session'|'saved'
---@field folder? string absolute; nil with a saved one: everywhere

---@param command string
---@param arguments? any[]
---@param done? fun(result: any)
local function execute(command, arguments, done)
  client.with(function(lsp)
    local params = { command = command, arguments = arguments }
    client.request(lsp, 'workspace/executeCommand', params, done)
  end)
end

---@param text string
local function say(text)
  vim.notify('redline: ' .. text, vim.log.levels.INFO)
end

---@param grant redline.Grant
---@return string
local function reach(grant)
  if grant.source == 'session' then
    return 'this session'
  elseif type(grant.folder) == 'string' then
    return 'in ' .. vim.fn.fnamemodify(grant.folder, ':~')
  end
  return 'everywhere'
end

---@param grant redline.Grant
local function revoke(grant)
  execute('redline.revoke', { grant.rule }, function()
    say('taken back (' .. reach(grant) .. '): ' .. grant.rule)
  end)
end

--- `:Redline grants`: all of them; the one that is chosen is revoked.
function M.choose()
  execute('redline.grants', nil, function(grants)
    if type(grants) ~= 'table' or #grants == 0 then
      return say('you have allowed nothing beyond the rules')
    end
    vim.ui.select(grants, {
      prompt = 'Allowed by you; choose one to take it back:',
      kind = 'redline_grants',
      format_item = function(grant)
        return ('%-14s  %s'):format(reach(grant), (grant.rule:gsub('\n', ' · ')))
      end,
    }, function(grant)
      if grant then
        revoke(grant)
      end
    end)
  end)
end

--- `:Redline trust`: the server asks again, and the question waits like any other.
function M.trust()
  execute('redline.trust')
end

return M
