--- Highlight groups, mixed from the colour scheme so that they are readable on all of them. The
--- list is data: doc/redline.txt and its test read it.

local M = {}

---@class redline.Group
---@field name string
---@field doc string
---@field bg? { [1]: string, [2]: number } colour, mixed into Normal's background
---@field fg? { [1]: string, [2]: number } colour and how much of it, on Normal's background
---@field cterm? { dark: integer, light: integer }
---@field bold? boolean
---@field strikethrough? boolean
---@field link? string

---@type redline.Group[]
M.groups = {
  {
    name = 'RedlineAdd',
    doc = 'proposed lines',
    bg = { 'Added', 0.17 },
    cterm = { dark = 22, light = 194 },
  },
  {
    name = 'RedlineAddText',
    doc = 'the words that are new in them',
    bg = { 'Added', 0.38 },
    cterm = { dark = 28, light = 157 },
  },
  {
    name = 'RedlineDelete',
    doc = 'lines that a proposal would remove',
    bg = { 'Removed', 0.17 },
    cterm = { dark = 52, light = 224 },
  },
  {
    name = 'RedlineDeleteText',
    doc = 'the words that would go',
    bg = { 'Removed', 0.38 },
    cterm = { dark = 88, light = 217 },
  },
  { name = 'RedlineSign', doc = 'sign of a hunk', fg = { 'Changed', 1 } },
  {
    name = 'RedlineCurrent',
    doc = 'sign of the hunk at the cursor',
    fg = { 'Normal', 1 },
    bold = true,
  },
  {
    name = 'RedlineStale',
    doc = 'a hunk in conflict, or one that is being accepted',
    bg = { 'Comment', 0.22 },
    cterm = { dark = 238, light = 252 },
  },
  { name = 'RedlineHint', doc = 'the hint on the current hunk', fg = { 'Normal', 0.62 } },
  { name = 'RedlineCommand', doc = 'the command in an ask', fg = { 'Normal', 1 }, bold = true },
  { name = 'RedlineKey', doc = 'a key in a hint or an ask', fg = { 'Changed', 1 }, bold = true },
}

---@param a integer
---@param b integer
---@param part number of b
---@return integer
local function mix(a, b, part)
  local function channel(shift)
    local x = bit.band(bit.rshift(a, shift), 0xff)
    local y = bit.band(bit.rshift(b, shift), 0xff)
    return bit.lshift(math.floor(x + (y - x) * part + 0.5), shift)
  end
  return channel(16) + channel(8) + channel(0)
end

---@param name string
---@param dark boolean
---@return integer
local function foreground(name, dark)
  local fallback = {
    Added = dark and 0xb3f6c0 or 0x005523,
    Removed = dark and 0xffc0b9 or 0x590008,
    Changed = dark and 0x8cf8f7 or 0x007373,
    Comment = dark and 0x9b9ea4 or 0x4f5258,
    Normal = dark and 0xe0e2ea or 0x14161b,
  }
  return vim.api.nvim_get_hl(0, { name = name, link = false }).fg or fallback[name]
end

--- A pale foreground (the stock scheme's) would tint grey: keep its hue, at full strength.
---@param colour integer
---@return integer
local function vivid(colour)
  local r, g, b =
    bit.rshift(colour, 16), bit.band(bit.rshift(colour, 8), 255), bit.band(colour, 255)
  local low, high = math.min(r, g, b), math.max(r, g, b)
  if high - low < 12 then
    return colour
  end
  local function stretch(x)
    return math.floor((x - low) * 205 / (high - low) + 30)
  end
  return bit.lshift(stretch(r), 16) + bit.lshift(stretch(g), 8) + stretch(b)
end

---@param group redline.Group
---@param dark boolean
---@return vim.api.keyset.highlight
local function attributes(group, dark)
  local normal = vim.api.nvim_get_hl(0, { name = 'Normal', link = false }).bg
  normal = normal or (dark and 0x14161b or 0xe0e2ea)
  local attrs = { default = true, bold = group.bold, strikethrough = group.strikethrough }
  if group.bg then
    attrs.bg = mix(normal, vivid(foreground(group.bg[1], dark)), group.bg[2])
    attrs.ctermbg = dark and group.cterm.dark or group.cterm.light
  end
  if group.fg then
    attrs.fg = mix(normal, foreground(group.fg[1], dark), group.fg[2])
    attrs.ctermfg = dark and 250 or 238
  end
  return attrs
end

--- Defines the groups that neither the user nor the colour scheme defined.
function M.define()
  local dark = vim.o.background == 'dark'
  for _, group in ipairs(M.groups) do
    vim.api.nvim_set_hl(0, group.name, attributes(group, dark))
  end
end

--- Defines them anew, so that another background without `:colorscheme` is followed too.
function M.refresh()
  local own = M.defined or {}
  for _, group in ipairs(M.groups) do
    local now = vim.api.nvim_get_hl(0, { name = group.name })
    if own[group.name] and vim.deep_equal(own[group.name], now) then
      vim.api.nvim_set_hl(0, group.name, {})
    end
  end
  M.define()
  M.defined = {}
  for _, group in ipairs(M.groups) do
    M.defined[group.name] = vim.api.nvim_get_hl(0, { name = group.name })
  end
end

return M
