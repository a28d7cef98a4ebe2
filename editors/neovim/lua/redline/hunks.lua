--- The reviews that the server sent, as data. Rows follow the user's typing until the server says
--- where the hunks are now; nothing is drawn here.

local position = require('redline.position')

local M = {}

---@class redline.Item a hunk in its place
---@field hunk redline.Hunk
---@field uri string
---@field first integer 0-based row
---@field last integer row after the last

---@class redline.File
---@field review redline.Review
---@field client_id integer
---@field encoding redline.Encoding
---@field items redline.Item[] in order of rows
---@field edits { version: integer, first: integer, last: integer, new_last: integer }[]

---@type table<string, redline.File>
M.files = {}

local drawn = { pending = true, accepting = true, applied = true, conflict = true }
local open = { pending = true, conflict = true, applied = true }

---@param edits redline.File['edits']
---@param hunk redline.Hunk
---@param version? integer
---@return integer, integer
local function place(edits, hunk, version)
  local first, last = position.rows(hunk.range)
  for _, edit in ipairs(edits) do
    if version and edit.version > version then
      first, last = position.shift(first, last, edit.first, edit.last, edit.new_last)
    end
  end
  return first, last
end

--- Takes a review. An older revision than the known one is refused; a review of an older version
--- of the text is moved along the edits since.
---@param review redline.Review
---@param client_id integer
---@param encoding redline.Encoding
---@return boolean taken
function M.set(review, client_id, encoding)
  local known = M.files[review.uri]
  if known and known.client_id == client_id and review.revision < known.review.revision then
    return false
  end
  local edits = known and known.edits or {}
  if review.version then
    edits = vim.tbl_filter(function(edit)
      return edit.version > review.version
    end, edits)
  end
  local items = {}
  for _, hunk in ipairs(review.hunks) do
    local first, last = place(edits, hunk, review.version)
    table.insert(items, { hunk = hunk, uri = review.uri, first = first, last = last })
  end
  table.sort(items, function(a, b)
    return a.first < b.first or (a.first == b.first and a.hunk.id < b.hunk.id)
  end)
  M.files[review.uri] = {
    review = review,
    client_id = client_id,
    encoding = encoding,
    items = items,
    edits = edits,
  }
  return true
end

--- Moves the hunks of a file along an edit of its buffer.
---@param uri string
---@param version integer
---@param first integer
---@param last integer
---@param new_last integer
---@return boolean moved
function M.edited(uri, version, first, last, new_last)
  local file = M.files[uri]
  if not file then
    return false
  end
  table.insert(file.edits, { version = version, first = first, last = last, new_last = new_last })
  local moved = false
  for _, item in ipairs(file.items) do
    local a, b = position.shift(item.first, item.last, first, last, new_last)
    moved = moved or a ~= item.first or b ~= item.last
    item.first, item.last = a, b
  end
  return moved
end

--- Forgets everything that a server said.
---@param client_id integer
---@return string[] uris
function M.forget(client_id)
  local uris = {}
  for uri, file in pairs(M.files) do
    if file.client_id == client_id then
      table.insert(uris, uri)
      M.files[uri] = nil
    end
  end
  return uris
end

---@param uri string
---@param states? table<string, true> default: those that are drawn
---@return redline.Item[]
function M.items(uri, states)
  local file = M.files[uri]
  return vim.tbl_filter(function(item)
    return (states or drawn)[item.hunk.state] ~= nil
  end, file and file.items or {})
end

--- The hunks that wait for the user, of one file.
---@param uri string
---@return redline.Item[]
function M.open(uri)
  return M.items(uri, open)
end

--- All uris with hunks that wait for the user, in order.
---@return string[]
function M.uris()
  local uris = vim.tbl_filter(function(uri)
    return #M.open(uri) > 0
  end, vim.tbl_keys(M.files))
  table.sort(uris)
  return uris
end

--- The hunk a row belongs to. An insertion belongs to the row above it, and to the one below it if
--- no other hunk does.
---@param uri string
---@param row integer 0-based
---@return redline.Item?
function M.at(uri, row)
  local near
  for _, item in ipairs(M.items(uri)) do
    if item.first <= row and row < item.last then
      return item
    elseif item.first == item.last and (row == item.first - 1 or row == item.first) then
      near = near or item
    end
  end
  return near
end

--- Place of a hunk among those of its file that wait, or nil: "2 of 5".
---@param item redline.Item
---@return integer? index
---@return integer total
function M.index(item)
  local all = M.open(item.uri)
  for i, other in ipairs(all) do
    if other.hunk.id == item.hunk.id then
      return i, #all
    end
  end
  return nil, #all
end

---@return integer hunks
---@return integer files
function M.count()
  local hunks, files = 0, 0
  for _, uri in ipairs(M.uris()) do
    hunks, files = hunks + #M.open(uri), files + 1
  end
  return hunks, files
end

return M
