--- Which buffer shows a uri, and back.

local M = {}

--- Read-only buffers of files that do not exist yet: uri → buffer (redline.virtual fills it).
---@type table<string, integer>
M.virtual = {}

--- The loaded buffer of a uri, or nil. Never creates one.
---@param uri string
---@return integer?
function M.find(uri)
  local virtual = M.virtual[uri]
  if virtual and vim.api.nvim_buf_is_valid(virtual) then
    return virtual
  end
  if not vim.startswith(uri, 'file:') then
    return nil
  end
  local name = vim.uri_to_fname(uri)
  if vim.fn.bufexists(name) == 0 then
    return nil
  end
  local buf = vim.fn.bufadd(name)
  return vim.api.nvim_buf_is_loaded(buf) and buf or nil
end

---@param buf integer
---@return string uri
function M.uri(buf)
  return vim.b[buf].redline_uri or vim.uri_from_bufnr(buf)
end

--- The version the server knows this buffer by: a changedtick, but not always the newest one.
---@param buf integer
---@return integer
function M.version(buf)
  return vim.lsp.util.buf_versions[buf] or 0
end

---@param uri string
---@return string path relative to the working directory if it is inside
function M.name(uri)
  if not vim.startswith(uri, 'file:') then
    return uri
  end
  return vim.fn.fnamemodify(vim.uri_to_fname(uri), ':~:.')
end

--- Windows of all tab pages that show a buffer.
---@param buf integer
---@return integer[]
function M.windows(buf)
  return vim.fn.win_findbuf(buf)
end

return M
