--- The folders that a server works in, as it names them itself.

local M = {}

---@param path string
---@return string canonical
local function canonical(path)
  return vim.uv.fs_realpath(path) or path
end

---@param client? vim.lsp.Client
---@return string[]
function M.of(client)
  local folders = {}
  for _, folder in ipairs(client and client.workspace_folders or {}) do
    table.insert(folders, canonical(vim.uri_to_fname(folder.uri)))
  end
  return folders
end

--- The folder that a call belongs to: the one that its directory lies in, else the first.
---@param client? vim.lsp.Client
---@param cwd string
---@return string?
function M.home(client, cwd)
  local folders = M.of(client)
  return vim.iter(folders):find(function(folder)
    return vim.fs.relpath(folder, canonical(cwd)) ~= nil
  end) or folders[1]
end

return M
