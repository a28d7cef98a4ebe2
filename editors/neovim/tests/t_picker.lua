local Child = require('child')
local asks = require('asks')
local eq = require('eq')

local ask, with_picker = asks.ask, asks.with_picker

return {
  {
    'an ask: what allows nothing comes first; the whole of it above; the rule edited',
    function()
      with_picker(function(f, nvim, user)
        user({ 'Allow once' })
        eq(f:request('redline/permission', ask('k1'))().result, { option = 'once' })
        eq(nvim:lua('return vim.g.items'), {
          'Reject',
          'Reject, and say why',
          'Allow once',
          'Allow for the session…  ' .. asks.rule,
          'Always in this folder…  ' .. asks.rule,
          'Always everywhere…  ' .. asks.rule,
        })
        local prompt = nvim:lua('return vim.g.prompts[1]')
        for _, part in ipairs({ 'Run a command?', 'cargo test', '/tmp/w', 'No rule allows it' }) do
          eq(prompt:find(part, 1, true) ~= nil, true, part)
        end
        user({ 'Always in this folder', 'DEFAULT' })
        local result = f:request('redline/permission', ask('k2'))().result
        eq(result, { option = 'folder', rule = asks.rule })
        local asked = nvim:lua('return vim.g.prompts[2]')
        eq(asked:find('Always in this folder (in ', 1, true), 1)
        -- <Esc> in the rule, an empty rule and an empty comment all go back to the choices
        user({ 'Always e', false, 'Always e', ' ', 'Reject, and', ' ', 'Always e', 'allow X' })
        result = f:request('redline/permission', ask('k3'))().result
        eq(result, { option = 'always', rule = 'allow X' })
        user({ 'Reject, and say why', 'no' })
        result = f:request('redline/permission', ask('k4'))().result
        eq(result, { option = 'reject', comment = 'no' })
        user({ false })
        local answer = f:request('redline/permission', ask('k5'))()
        eq({ answer.result, answer.error }, {})
        local rules = "allow A\nallow Bash --cmd 'x\n\n  y'"
        local options = { { id = 'session', label = 'Session', covers = rules } }
        user({ 'Session' })
        answer = f:request('redline/permission', ask('k6', { options = options }))
        -- a line cannot hold it: the float does, and leaving it leads back to the picker
        nvim:sees('save it and run')
        eq(asks.place(nvim), 'rule')
        for _, keys in ipairs({ 'q', ':q<CR>' }) do
          user({ 'Session' })
          nvim:keys(keys)
          Child.eventually('put again', function()
            return nvim:lua('return #_G.user') == 0
          end)
          nvim:sees('save it and run')
        end
        nvim:keys('ggA B<Esc><CR>')
        eq(answer().result, { option = 'session', rule = 'allow A B' .. rules:sub(8) })
        eq(asks.place(nvim), 'a.txt')
      end)
    end,
  },
  {
    'a choice of the first 300 ms is put again, an <Esc> leaves it open',
    function()
      with_picker(function(f, nvim, user)
        asks.clock(nvim, 0)
        user({ 'Allow once' })
        local answer = f:request('redline/permission', ask('k1'))
        Child.eventually('put again', function()
          return nvim:lua('return #vim.g.prompts') == 2
        end)
        eq(asks.count(nvim), 1)
        user({ false })
        nvim:keys(':Redline permission<CR>')
        Child.eventually('dismissed', function()
          return nvim:lua('return #_G.user') == 0
        end)
        eq(asks.count(nvim), 1)
        nvim:lua("require('redline.config').values.permission.guard_ms = 0")
        user({ 'Reject' })
        nvim:keys(':Redline permission<CR>')
        eq(answer().result, { option = 'reject' })
      end, { guard_ms = 300 })
    end,
  },
  {
    'withdrawn while the picker or the rule is open: the late choice is refused',
    function()
      with_picker(function(f, nvim, user)
        user({})
        local answer = f:request('redline/permission', ask('k1'))
        Child.eventually('the picker', function()
          return nvim:lua('return #vim.g.prompts') == 1
        end)
        f:notify('redline/permissionWithdrawn', { askId = 'k1', reason = 'cancelled' })
        eq(answer().error, nil)
        nvim:lua('_G.late(3)')
        nvim:hears('no longer asked: your answer came too late')
        user({ 'Always e' })
        answer = f:request('redline/permission', ask('k2'))
        Child.eventually('the rule', function()
          return nvim:lua('return #vim.g.prompts') == 2
        end)
        -- another ask waits behind it, and does not come over what is being typed
        local other = f:request('redline/permission', ask('k3'))
        Child.eventually('both wait', function()
          return asks.count(nvim) == 2
        end)
        eq(nvim:lua('return #vim.g.prompts'), 2)
        user({ 'Reject' })
        f:notify('redline/permissionWithdrawn', { askId = 'k2', reason = 'cancelled' })
        eq(answer().error, nil)
        eq(other().result, { option = 'reject' })
      end)
    end,
  },
  {
    'trust is asked when the user wants it, and an ask goes before it',
    function()
      with_picker(function(f, nvim, user)
        user({})
        local trusted = f:request('redline/trust', asks.trust('t1'))
        nvim:hears('own rules count? :Redline permission answers')
        eq(nvim:lua('return #vim.g.prompts'), 0)
        user({ 'Allow once' })
        eq(f:request('redline/permission', ask('k1'))().result, { option = 'once' })
        user({ 'Show' })
        nvim:keys(':Redline permission<CR>')
        nvim:sees('allow Bash --cmd')
        eq(nvim:lua('return vim.g.items[1]'), 'Not now')
        nvim:keys('q')
        user({ 'Trust' })
        nvim:keys(':Redline permission<CR>')
        eq(trusted().result, { trust = true })
      end)
    end,
  },
}
