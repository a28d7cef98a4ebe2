local Child = require('child')
local eq = require('eq')

local path = Child.root .. '/doc/redline.txt'

---@return table<string, true>
local function tags()
  local found = {}
  for line in io.lines(path) do
    for tag in line:gmatch('%*(%S+)%*') do
      eq(found[tag], nil, 'twice: ' .. tag)
      found[tag] = true
    end
  end
  return found
end

---@param wanted string[]
local function documented(wanted)
  local found = tags()
  for _, tag in ipairs(wanted) do
    eq(found[tag] == true, true, 'no tag for ' .. tag)
  end
end

return {
  {
    'every command, key, map, option, group, function and event has a tag',
    function()
      local wanted = { 'redline', ':Redline', 'b:redline_status' }
      for name in pairs(require('redline.command').subs) do
        table.insert(wanted, ':Redline-' .. name)
      end
      local config = require('redline.config').defaults
      for _, lhs in pairs(config.keys) do
        table.insert(wanted, 'redline-' .. lhs)
      end
      for name in pairs(config) do
        if name ~= 'permission' then
          table.insert(wanted, 'redline-option-' .. name)
        end
      end
      for name in pairs(config.permission) do
        table.insert(wanted, 'redline-option-permission.' .. name)
      end
      for _, group in ipairs(require('redline.highlight').groups) do
        table.insert(wanted, 'hl-' .. group.name)
      end
      for name in pairs(require('redline')) do
        table.insert(wanted, ('redline.%s()'):format(name))
      end
      require('redline.keys').plugs()
      for _, mode in ipairs({ 'n', 'o' }) do
        for _, map in ipairs(vim.api.nvim_get_keymap(mode)) do
          if map.lhs:find('redline-', 1, true) then
            table.insert(wanted, map.lhs)
          end
        end
      end
      vim.list_extend(wanted, { 'RedlineReview', 'RedlinePermission', 'RedlineResolved' })
      documented(wanted)
    end,
  },
  {
    'every link leads somewhere, and helptags has nothing to say',
    function()
      local found = tags()
      for line in io.lines(path) do
        for link in line:gmatch('|([^|%s]+)|') do
          local own = link:find('^:?[Rr]edline') or link:find('^hl%-')
          eq(not own or found[link] == true, true, 'dead link: ' .. link)
        end
      end
      local dir = vim.fn.tempname()
      vim.fn.mkdir(dir)
      assert(vim.uv.fs_copyfile(path, dir .. '/redline.txt'))
      vim.cmd.helptags(dir)
      eq(vim.fn.filereadable(dir .. '/tags'), 1)
    end,
  },
  {
    'the checkhealth page finds nothing wrong but the missing server',
    function()
      local nvim = Child.new({ cmd = { 'no-such-redline' } })
      nvim:lua("vim.cmd('checkhealth redline')")
      local page = table.concat(nvim:lines(), '\n')
      nvim:close()
      eq(page:find('"no-such-redline" is not executable', 1, true) ~= nil, true, page)
      eq(select(2, page:gsub('ERROR', '')) <= 2, true, page)
    end,
  },
  {
    'unknown and wrong options are named',
    function()
      local config = require('redline.config')
      eq(
        config.problems({ keys = { acept = 'x', reject = false }, hint = 3, settings = { any = 1 } }),
        {
          'option "hint" must be a boolean',
          'unknown option "keys.acept"',
        }
      )
    end,
  },
  {
    'files stay small, and the protocol names each method once',
    function()
      for _, file in ipairs(vim.fn.glob(Child.root .. '/lua/redline/*.lua', true, true)) do
        eq(#vim.fn.readfile(file) <= 260, true, file)
      end
      local seen = {}
      for _, method in pairs(require('redline.protocol')) do
        eq(seen[method], nil, method)
        seen[method] = true
      end
      eq(vim.tbl_count(seen), 21)
    end,
  },
}
