--- Whether a change that is just being made is an undo or a redo.
---
--- While Neovim undoes or redoes, the block in hand is marked `curhead` in the undo tree; an
--- ordinary change has cleared that mark before its text changes. `seq_cur` moves only after the
--- text, so that it tells undo (still at or after the block) from redo (before it). This holds for
--- u, CTRL-R, U, g-, g+, :undo N, :earlier and :later (measured with 0.11.4).

local M = {}

---@param entries table[]
---@return integer?
local function curhead(entries)
  for _, entry in ipairs(entries) do
    if entry.curhead then
      return entry.seq
    end
    local found = entry.alt and curhead(entry.alt)
    if found then
      return found
    end
  end
end

--- To be called while the change is made, that is from on_lines.
---@param buf integer
---@return 'undo'|'redo'|nil reason
---@return integer? block the number of the undo block
function M.reason(buf)
  local tree = vim.fn.undotree(buf)
  local block = curhead(tree.entries)
  if not block then
    return nil
  end
  return tree.seq_cur >= block and 'undo' or 'redo', block
end

return M
