--- A proposed file that does not exist yet is shown in a read-only buffer named redline://PATH.

local buffers = require('redline.buffers')
local client = require('redline.client')
local hunks = require('redline.hunks')
local position = require('redline.position')
local protocol = require('redline.protocol')

local M = {}
local api = vim.api

---@param review? redline.Review
---@return boolean
local function wanted(review)
  if not review or review.change ~= 'created' then
    return false
  end
  for _, hunk in ipairs(review.hunks) do
    if hunk.state == 'pending' or hunk.state == 'accepting' or hunk.state == 'conflict' then
      local name = vim.uri_to_fname(review.uri)
      local open = vim.fn.bufexists(name) == 1 and vim.fn.bufloaded(name) == 1
      return not open and vim.uv.fs_stat(name) == nil
    end
  end
  return false
end

---@param uri string
---@return integer buf
local function create(uri)
  local buf = api.nvim_create_buf(false, true)
  api.nvim_buf_set_name(buf, 'redline://' .. vim.uri_to_fname(uri))
  vim.b[buf].redline_uri = uri
  vim.b[buf].redline_virtual = true
  vim.bo[buf].bufhidden = 'hide'
  vim.bo[buf].modifiable = false
  buffers.virtual[uri] = buf
  local filetype = vim.filetype.match({ filename = vim.uri_to_fname(uri) })
  if filetype then
    vim.bo[buf].filetype = filetype
  end
  return buf
end

---@param buf integer
---@param text string
local function fill(buf, text)
  if not api.nvim_buf_is_valid(buf) then
    return
  end
  vim.bo[buf].modifiable = true
  api.nvim_buf_set_lines(buf, 0, -1, false, (position.lines(text)))
  vim.bo[buf].modifiable = false
  vim.bo[buf].modified = false
  require('redline.review').refresh(buf)
end

--- The file exists now, or was refused: windows that showed the proposal go on to what there is.
---@param uri string
---@param buf integer
local function leave(uri, buf)
  buffers.virtual[uri] = nil
  local name = vim.uri_to_fname(uri)
  for _, win in ipairs(buffers.windows(buf)) do
    api.nvim_win_call(win, function()
      if vim.uv.fs_stat(name) then
        vim.cmd.edit({ vim.fn.fnameescape(name), mods = { keepalt = true } })
      elseif vim.fn.bufnr('#') > 0 and vim.fn.bufnr('#') ~= buf then
        vim.cmd.buffer('#')
      else
        vim.cmd.enew()
      end
    end)
  end
  if api.nvim_buf_is_valid(buf) then
    api.nvim_buf_delete(buf, { force = true })
  end
end

--- Creates, refills or removes the buffer of a proposed file.
---@param uri string
---@param review? redline.Review
function M.update(uri, review)
  local buf = buffers.virtual[uri]
  if not wanted(review) then
    if buf then
      leave(uri, buf)
    end
    return
  end
  buf = buf and api.nvim_buf_is_valid(buf) and buf or create(uri)
  local hunk = assert(review).hunks[1]
  fill(buf, hunk.newText)
  local lsp = vim.lsp.get_client_by_id(hunks.files[uri].client_id)
  if lsp then
    local params = { uri = uri, projection = 'agent', threadId = hunk.origin.threadId }
    client.request(lsp, protocol.content, params, function(result)
      if result and result.text then
        fill(buf, result.text)
      end
    end)
  end
end

return M
