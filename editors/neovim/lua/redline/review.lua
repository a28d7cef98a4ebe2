--- A review arrives: state, drawing, keys, status, events.

local buffers = require('redline.buffers')
local deleted = require('redline.deleted')
local hunks = require('redline.hunks')
local keys = require('redline.keys')
local status = require('redline.status')
local view = require('redline.view')
local virtual = require('redline.virtual')

local M = {}
local api = vim.api

---@param pattern string
---@param data table
local function emit(pattern, data)
  api.nvim_exec_autocmds('User', { pattern = pattern, modeline = false, data = data })
end

---@param buf integer
local function set_keys(buf)
  local own = #hunks.items(buffers.uri(buf)) > 0
  keys.set(buf, own and 'all' or (hunks.count() > 0 and 'jump' or nil))
end

--- Brings a buffer's look, keys and status up to date.
---@param buf integer
function M.refresh(buf)
  view.draw(buf)
  set_keys(buf)
  status.update(buf)
end

--- The other buffers, too, have keys that lead to hunks, while there are any.
local function set_all_keys()
  for _, client in ipairs(vim.lsp.get_clients({ name = 'redline' })) do
    for buf in pairs(client.attached_buffers) do
      set_keys(buf)
    end
  end
end

---@param uri string
local function show(uri)
  local file = hunks.files[uri]
  virtual.update(uri, file and file.review)
  local buf = buffers.find(uri)
  if buf then
    deleted.watch(buf, uri)
    M.refresh(buf)
  end
end

--- Tells what became of hunks that waited before.
---@param uri string
---@param before redline.Item[]
local function emit_resolved(uri, before)
  local now = {}
  for _, item in ipairs(hunks.files[uri] and hunks.files[uri].items or {}) do
    now[item.hunk.id] = item.hunk.state
  end
  for _, item in ipairs(before) do
    local state = now[item.hunk.id] or 'gone'
    if state == 'accepted' or state == 'rejected' or state == 'gone' then
      emit('RedlineResolved', { uri = uri, hunk = item.hunk.id, state = state })
    end
  end
end

---@param review redline.Review
---@param client vim.lsp.Client
function M.receive(review, client)
  if review.version == vim.NIL then
    review.version = nil
  end
  local before = hunks.items(review.uri)
  if not hunks.set(review, client.id, client.offset_encoding) then
    return
  end
  show(review.uri)
  set_all_keys()
  status.changed()
  require('redline.quickfix').update()
  emit_resolved(review.uri, before)
  emit('RedlineReview', { uri = review.uri, revision = review.revision })
end

---@param client_id integer
function M.forget(client_id)
  for _, uri in ipairs(hunks.forget(client_id)) do
    show(uri)
  end
  set_all_keys()
  status.changed()
end

--- Follows the user's typing in a buffer.
---@param buf integer
function M.watch(buf)
  if vim.b[buf].redline_watched then
    return
  end
  vim.b[buf].redline_watched = true
  local function redraw()
    if api.nvim_buf_is_valid(buf) then
      view.draw(buf)
    end
  end
  api.nvim_buf_attach(buf, false, {
    on_lines = function(_, _, tick, first, last, new_last)
      if hunks.edited(buffers.uri(buf), tick, first, last, new_last) then
        vim.schedule(redraw)
      end
    end,
    -- without it `:e!` would end the watch
    on_reload = function()
      vim.schedule(redraw)
    end,
    on_detach = function()
      if api.nvim_buf_is_valid(buf) then
        vim.b[buf].redline_watched = nil
      end
    end,
  })
  M.refresh(buf)
end

return M
