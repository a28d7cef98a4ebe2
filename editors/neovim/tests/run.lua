--- nvim -l editors/neovim/tests/run.lua [PATTERN]
--- Every test starts a Neovim of its own. The last line is "N passed, N failed".

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
package.path = here
  .. '/?.lua;'
  .. here
  .. '/../lua/?.lua;'
  .. here
  .. '/../lua/?/init.lua;'
  .. package.path

local pattern = _G.arg and _G.arg[1]
local passed, failed = 0, 0

---@param name string
---@param test fun()
local function run(name, test)
  if pattern and not name:find(pattern) then
    return
  end
  local ok, problem = pcall(test)
  if ok then
    passed = passed + 1
  else
    failed = failed + 1
    io.stdout:write(('FAILED %s\n%s\n\n'):format(name, problem))
  end
end

for _, file in ipairs(vim.fn.sort(vim.fn.glob(here .. '/t_*.lua', true, true))) do
  local group = vim.fn.fnamemodify(file, ':t:r'):sub(3)
  for _, test in ipairs(dofile(file)) do
    run(group .. ': ' .. test[1], test[2])
  end
end

io.stdout:write(('%d passed, %d failed\n'):format(passed, failed))
os.exit(failed == 0 and passed > 0 and 0 or 1)
