--- A review arrives: state, drawing, keys, status, events.

local buffers = require('redline.buffers')
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

--- Brings a buffer's look, keys and status up to date.
---@param buf integer
function M.refresh(buf)
  view.draw(buf)
  keys.set(buf, #hunks.items(buffers.uri(buf)) > 0)
  status.update(buf)
end

---@param uri string
local function show(uri)
  local file = hunks.files[uri]
  virtual.update(uri, file and file.review)
  local buf = buffers.find(uri)
  if buf then
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
