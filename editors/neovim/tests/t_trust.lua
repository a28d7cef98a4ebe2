local Child = require('child')
local asks = require('asks')
local eq = require('eq')

local with, trust, count, place = asks.with, asks.trust, asks.count, asks.place

return {
  {
    'the question waits in a float without focus; shown, then trusted',
    function()
      with(function(f, nvim)
        local answer = f:request('redline/trust', trust('t1'))
        for _, text in ipairs({
          'own rules count?',
          '/tmp/w',
          'files  .redline/settings.json',
          '.mcp.json',
          "allow Bash --cmd 'make *'",
          'provider: script',
          'v  Show all that it says',
          't  Trust',
          'n  Not now',
          ':Redline permission to answer',
        }) do
          nvim:sees(text)
        end
        eq(place(nvim), 'a.txt')
        eq(nvim:lua("return require('redline').statusline()"), 'redline: 1 ask')
        nvim:keys('tvn<Esc>')
        nvim:keys(':Redline permission<CR><CR><Space>ofar')
        eq(count(nvim), 1)
        nvim:keys('v')
        eq(place(nvim), 'text')
        eq(nvim:lines()[2], 'provider: script')
        eq(nvim:lua('return vim.bo.modifiable'), false)
        nvim:keys('q')
        eq(place(nvim), 'ask')
        nvim:keys('t')
        eq(answer().result, { trust = true })
        nvim:sees_no('Not now')
        eq(place(nvim), 'a.txt')
      end)
    end,
  },
  {
    'not now is null; changed files say so; keys of the first moments are ignored',
    function()
      with(function(f, nvim)
        asks.clock(nvim, 0)
        local answer = f:request('redline/trust', trust('t1', { changed = true }))
        nvim:sees('rules have changed')
        nvim:keys(':Redline permission<CR>')
        asks.clock(nvim, 299)
        nvim:keys('tn')
        eq(count(nvim), 1)
        asks.clock(nvim, 300)
        nvim:keys('n')
        eq({ answer().result, answer().error }, {})
      end, { setup = {} })
    end,
  },
  {
    'in one queue with the asks; withdrawn by its id',
    function()
      with(function(f, nvim)
        local asked = f:request('redline/permission', asks.ask('k1'))
        local trusted = f:request('redline/trust', trust('t1'))
        nvim:sees('1 of 2 · Run a command?')
        eq(nvim:lua("return require('redline').statusline()"), 'redline: 2 asks')
        nvim:keys(':Redline permission<CR><Tab>')
        nvim:sees('2 of 2 · Do this folder')
        -- the keys of an ask are none here
        nvim:keys('ofar')
        eq(count(nvim), 2)
        f:notify('redline/permissionWithdrawn', { askId = 't1', reason = 'the file is gone' })
        eq(trusted().error, nil)
        nvim:hears('no longer asked (the file is gone)')
        nvim:sees('# k1')
        nvim:keys('t')
        eq(count(nvim), 1)
        nvim:keys('r')
        eq(asked().result, { option = 'reject' })
      end)
    end,
  },
  {
    'a long text is cut in the float, and whole when it is shown',
    function()
      with(function(f, nvim)
        local lines = {}
        for i = 1, 60 do
          lines[i] = 'allow Tool' .. i
        end
        f:request('redline/trust', trust('t1', { text = table.concat(lines, '\n') }))
        nvim:sees('more lines …')
        nvim:sees('n  Not now')
        nvim:keys(':Redline permission<CR>v')
        eq(#nvim:lines(), 60)
      end)
    end,
  },
  {
    ':Redline trust asks again; :Redline grants lists and takes back',
    function()
      with(function(f, nvim)
        nvim:keys(':Redline trust<CR>')
        eq(f:expect('workspace/executeCommand').command, 'redline.trust')
        f:answer('workspace/executeCommand', { session = {}, saved = {} })
        nvim:keys(':Redline grants<CR>')
        nvim:hears('you have allowed nothing beyond the rules')
        eq(f:expect('workspace/executeCommand').command, 'redline.grants')
        nvim:lua([[
          vim.ui.select = function(items, options, choose)
            vim.g.shown = vim.tbl_map(options.format_item, items)
            choose(items[_G.pick])
          end
        ]])
        f:answer('workspace/executeCommand', {
          session = { { rule = 'allow A' } },
          saved = {
            { rule = 'allow B', folder = f.dir },
            { rule = 'allow C', folder = vim.NIL },
            { rule = 'allow D', folder = '/somewhere/else' },
          },
        })
        nvim:keys(':Redline grants<CR>')
        eq(f:expect('workspace/executeCommand').command, 'redline.grants')
        Child.eventually('the list', function()
          return vim.deep_equal(nvim:lua('return vim.g.shown'), {
            'this session    allow A',
            'in ' .. f.dir .. '  allow B',
            'everywhere      allow C',
          })
        end)
        nvim:lua('_G.pick = 2')
        nvim:keys(':Redline grants<CR>')
        f:expect('workspace/executeCommand')
        local order = { command = 'redline.revoke', arguments = { 'allow B' } }
        eq(f:expect('workspace/executeCommand'), order)
        nvim:hears('taken back: allow B')
      end)
    end,
  },
  {
    'rules by setup() and by vim.lsp.config; a change reaches the server that runs',
    function()
      local first = { { tool = 'Bash', matches = { cmd = 'ls' }, action = 'allow' } }
      local init = [[lua vim.lsp.config('redline', { settings = { redline = { dialect = 'x' } } })]]
      with(function(f, nvim)
        local answer = f:request('workspace/configuration', { items = { { section = 'redline' } } })
        eq(answer().result, { { permissions = first, dialect = 'x' } })
        -- what vim.lsp.config gives is told at the start already
        eq(f:expect('workspace/didChangeConfiguration').settings, { redline = { dialect = 'x' } })
        nvim:lua([[
          local rules = { { tool = 'Bash', action = 'reject' } }
          require('redline').setup { cmd = vim.lsp.config.redline.cmd,
            settings = { permissions = rules } }
        ]])
        local second = { { tool = 'Bash', action = 'reject' } }
        eq(
          f:expect('workspace/didChangeConfiguration').settings,
          { redline = { permissions = second, dialect = 'x' } }
        )
        nvim:lua([[
          local client = vim.lsp.get_clients({ name = 'redline' })[1]
          client.settings.redline.permissions = {}
          client:notify('workspace/didChangeConfiguration', { settings = client.settings })
        ]])
        eq(
          f:expect('workspace/didChangeConfiguration').settings,
          { redline = { permissions = {}, dialect = 'x' } }
        )
      end, { setup = { settings = { permissions = first } }, init = init })
    end,
  },
}
