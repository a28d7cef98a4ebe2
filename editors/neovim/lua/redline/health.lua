--- `:checkhealth redline`

local M = {}
local health = vim.health

local function check_editor()
  health.start('Editor')
  if vim.fn.has('nvim-0.11') == 1 then
    health.ok('Neovim ' .. tostring(vim.version()))
  else
    health.error('Neovim 0.11 or later is needed')
  end
  if vim.g.loaded_redline then
    health.ok('the plugin is loaded')
  else
    health.error('plugin/redline.lua was not run', 'is editors/neovim in your runtimepath?')
  end
  if not vim.o.termguicolors and vim.fn.has('gui_running') == 0 then
    health.warn("'termguicolors' is off: colours are approximate")
  end
end

local function check_options()
  health.start('Options')
  local config = require('redline.config')
  local problems = config.problems(config.given or {})
  for _, problem in ipairs(problems) do
    health.error(problem, ':help redline-options')
  end
  if #problems == 0 then
    health.ok('all options are known')
  end
end

--- A handler replaced by another plugin would break what this client has declared.
---@param client vim.lsp.Client
local function check_handlers(client)
  local own = require('redline.client').config().handlers or {}
  for method, handler in pairs(own) do
    if client.handlers[method] ~= handler then
      health.error(
        ('the handler of %s is not ours'):format(method),
        'who calls vim.lsp.config for it?'
      )
    end
  end
end

local function check_server()
  health.start('Server')
  local resolved = vim.lsp.config['redline']
  local cmd = resolved and resolved.cmd or {}
  if type(cmd) == 'table' and vim.fn.executable(cmd[1] or '') == 1 then
    health.ok('command: ' .. table.concat(cmd, ' '))
  elseif type(cmd) == 'table' then
    local advice = "put it on $PATH or say where it is: require('redline').setup{ cmd = … }"
    health.error(('"%s" is not executable'):format(cmd[1] or ''), advice)
  end
  if vim.lsp.is_enabled and not vim.lsp.is_enabled('redline') then
    health.warn('not enabled', "vim.lsp.enable('redline')")
  end
  local clients = vim.lsp.get_clients({ name = 'redline' })
  for _, client in ipairs(clients) do
    local root = client.root_dir or 'no folder'
    health.ok(('running for %s, positions in %s'):format(root, client.offset_encoding))
    local experimental = client.server_capabilities.experimental or {}
    if not (experimental.redline and experimental.redline.version == 1) then
      health.error('the server does not speak version 1 of the protocol')
    end
    check_handlers(client)
  end
  if #clients == 0 then
    health.info('not running: it starts with the first file')
  end
end

function M.check()
  check_editor()
  check_options()
  check_server()
end

return M
