--- What the user has allowed so far, to be taken back, and the question of trust once more.

local client = require('redline.client')

local M = {}

---@class redline.Grant
---@field rule string text form
---@field folder? string absolute, where a saved one counts; nil: everywhere

---@class redline.Grants
---@field session redline.Grant[]
---@field saved redline.Grant[] of all folders, those of other servers included

---@param command string
---@param arguments? any[]
---@param done? fun(result: any, lsp: vim.lsp.Client)
local function execute(command, arguments, done)
  client.with(function(lsp)
    local params = { command = command, arguments = arguments }
    client.request(lsp, 'workspace/executeCommand', params, function(result)
      if done then
        done(result, lsp)
      end
    end)
  end)
end

---@param text string
local function say(text)
  vim.notify('redline: ' .. text, vim.log.levels.INFO)
end

---@class redline.GrantItem
---@field rule string
---@field reach string where and how long it counts

--- Those that count here.
---@param grants redline.Grants
---@param folders string[]
---@return redline.GrantItem[]
local function items(grants, folders)
  local found = {}
  for _, grant in ipairs(grants.session) do
    table.insert(found, { rule = grant.rule, reach = 'this session' })
  end
  for _, grant in ipairs(grants.saved) do
    local folder = type(grant.folder) == 'string' and grant.folder or nil
    if not folder or vim.tbl_contains(folders, folder) then
      local reach = folder and 'in ' .. vim.fn.fnamemodify(folder, ':~') or 'everywhere'
      table.insert(found, { rule = grant.rule, reach = reach })
    end
  end
  return found
end

---@param found redline.GrantItem[]
local function choose(found)
  if #found == 0 then
    return say('you have allowed nothing beyond the rules here')
  end
  vim.ui.select(found, {
    prompt = 'Allowed by you; choose one to take it back:',
    kind = 'redline_grants',
    format_item = function(item)
      return ('%-14s  %s'):format(item.reach, (item.rule:gsub('\n', ' ⏎ ')))
    end,
  }, function(item)
    if item then
      execute('redline.revoke', { item.rule }, function()
        say('taken back: ' .. item.rule)
      end)
    end
  end)
end

--- `:Redline grants`: all that count here; the one that is chosen is revoked.
function M.choose()
  execute('redline.grants', nil, function(grants, lsp)
    choose(items(grants, require('redline.folders').of(lsp)))
  end)
end

--- `:Redline trust`: the server asks again, and the question waits like any other.
function M.trust()
  execute('redline.trust')
end

return M
