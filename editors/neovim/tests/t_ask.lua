local asks = require('asks')
local eq = require('eq')

local ask, with, count, place = asks.ask, asks.with, asks.count, asks.place

---@param nvim table
---@param texts string[]
local function sees_all(nvim, texts)
  for _, text in ipairs(texts) do
    nvim:sees(text)
  end
end

return {
  {
    'shown in full without focus; typing does not answer it; answered by key',
    function()
      with(function(f, nvim)
        local answer = f:request('redline/permission', ask('k1'))
        sees_all(nvim, {
          'Run a command?',
          'cargo test --workspace # k1',
          '/tmp/w',
          'No rule allows it',
          'o  Allow once',
          's  Allow for the session…',
          'f  Always in this folder…',
          'a  Always everywhere…',
          '↳ ' .. asks.rule,
          'r  Reject',
          'c  Reject, and say why',
          ':Redline permission to answer',
        })
        eq(place(nvim), 'a.txt')
        nvim:keys('osr<Esc>')
        eq(nvim:lines()[2], 'sr')
        eq(count(nvim), 1)
        eq(nvim:lua("return require('redline').statusline()"), 'redline: 1 ask')
        nvim:keys(':Redline permission<CR>')
        nvim:sees('q leave it open')
        nvim:keys('o')
        eq(answer().result, { option = 'once' })
        nvim:sees_no('Allow once')
        eq(place(nvim), 'a.txt')
      end)
    end,
  },
  {
    'keys of the first 300 ms are ignored: in the ask, in the next one, in the rule',
    function()
      with(function(f, nvim)
        asks.clock(nvim, 0)
        local first = f:request('redline/permission', ask('k1'))
        local second = f:request('redline/permission', ask('k2'))
        nvim:sees('1 of 2')
        -- seen long ago, but the user goes into it only now
        asks.clock(nvim, 10000)
        nvim:keys(':Redline permission<CR>')
        asks.clock(nvim, 10299)
        nvim:keys('o<CR><Space>')
        eq(count(nvim), 2)
        asks.clock(nvim, 10300)
        nvim:keys('o')
        eq(first().result, { option = 'once' })
        -- the second one came into view by that key
        nvim:keys('orca')
        asks.clock(nvim, 10599)
        nvim:keys('f')
        eq(place(nvim), 'ask')
        eq(count(nvim), 1)
        asks.clock(nvim, 10600)
        nvim:keys('f')
        eq(place(nvim), 'rule')
        nvim:keys('<CR>')
        asks.clock(nvim, 10899)
        nvim:keys('<CR>:w<CR>')
        eq(count(nvim), 1)
        asks.clock(nvim, 10900)
        nvim:keys('<CR>')
        eq(second().result, { option = 'folder', rule = asks.rule })
      end, { setup = {} })
    end,
  },
  {
    'keys typed ahead are dropped, however late the editor gets to them',
    function()
      with(function(f, nvim)
        f:request('redline/permission', ask('k1'))
        nvim:sees('Allow once')
        -- the clock goes on while the editor is busy: only the keys themselves tell
        nvim:lua([[
          local now = 0
          require('redline.clock').now = function() now = now + 1000; return now end
        ]])
        nvim:lua("vim.api.nvim_input(':Redline permission<CR>ofa<CR>')")
        nvim:sees('q leave it open')
        nvim:keys('')
        eq(count(nvim), 1)
        eq(place(nvim), 'ask')
        nvim:keys('q')
        nvim:lua("vim.api.nvim_input('<C-w>wo')")
        nvim:sees('q leave it open')
        nvim:keys('')
        eq(count(nvim), 1)
      end, { setup = {} })
    end,
  },
  {
    '<CR>, <Space> and keys without a meaning allow nothing',
    function()
      with(function(f, nvim)
        f:request('redline/permission', ask('k1'))
        nvim:sees('Allow once')
        nvim:keys(':Redline permission<CR><CR><Space>iy3<CR>dd')
        eq(count(nvim), 1)
        eq(place(nvim), 'ask')
      end)
    end,
  },
  {
    'what is not on disk: the files, and a key for each way to run',
    function()
      with(function(f, nvim)
        local more = {
          pending = { 'a.txt' },
          unsaved = { 'b.txt' },
          options = {
            { id = 'acceptAndRun', label = 'Accept, save and run' },
            { id = 'saveAndRun', label = 'Save and run' },
            { id = 'runWithout', label = 'Run without these changes' },
            { id = 'reject', label = 'Reject' },
          },
        }
        for key, option in pairs({ y = 'acceptAndRun', w = 'saveAndRun', x = 'runWithout' }) do
          local answer = f:request('redline/permission', ask('k' .. key, more))
          sees_all(nvim, {
            'proposals not on disk: a.txt',
            'your text not on disk: b.txt',
            'y  Accept, save and run',
            'w  Save and run',
            'x  Run without these changes',
            'r  Reject',
          })
          nvim:keys(':Redline permission<CR>' .. key)
          eq(answer().result, { option = option })
        end
      end)
    end,
  },
  {
    'reject with a comment; without a word it stays open',
    function()
      with(function(f, nvim)
        local answer = f:request('redline/permission', ask('k1'))
        nvim:sees('Allow once')
        nvim:keys(':Redline permission<CR>c  <CR>')
        eq(count(nvim), 1)
        nvim:keys('cuse make<CR>')
        eq(answer().result, { option = 'reject', comment = 'use make' })
      end)
    end,
  },
  {
    'several asks are a queue; one that is withdrawn goes, and the server hears null',
    function()
      with(function(f, nvim)
        local first = f:request('redline/permission', ask('k1'))
        nvim:sees('# k1')
        nvim:sees_no('1 of 1')
        local second = f:request('redline/permission', ask('k2'))
        local third = f:request('redline/permission', ask('k3'))
        nvim:sees('1 of 3')
        nvim:sees('# k1')
        nvim:keys(':Redline permission<CR><Tab>')
        nvim:sees('# k2')
        nvim:sees('2 of 3')
        f:notify('redline/permissionWithdrawn', { askId = 'k2', reason = 'cancelled' })
        eq(second().error, nil)
        nvim:sees('# k3')
        nvim:sees('2 of 2')
        nvim:hears('no longer asked (cancelled)')
        nvim:keys('o')
        eq(third().result.option, 'once')
        nvim:sees('# k1')
        nvim:keys('q')
        eq(place(nvim), 'a.txt')
        nvim:keys(':Redline permission<CR>r')
        eq(first().result.option, 'reject')
        nvim:sees_no('Reject')
      end)
    end,
  },
  {
    'late, repeated, unknown answers count for nothing, and the user hears so',
    function()
      with(function(f, nvim)
        local answer = f:request('redline/permission', ask('k1'))
        nvim:sees('Allow once')
        local function try(id, option)
          local code = "return require('redline.permission').answer(...)"
          return nvim:lua(code, id, option)
        end
        eq(try('k0', 'once'), false)
        nvim:hears('no longer asked: your answer came too late')
        eq(try('k1', 'saveAndRun'), false)
        nvim:hears('"saveAndRun" is no answer to this')
        eq(try('k1', 'show'), false)
        eq(count(nvim), 1)
        nvim:keys(':Redline permission<CR>c')
        nvim:keys('no<CR>')
        eq(answer().result.comment, 'no')
        eq(try('k1', 'once'), false)
        -- withdrawn while the comment is typed
        local other = f:request('redline/permission', ask('k2'))
        nvim:sees('# k2')
        nvim:keys(':Redline permission<CR>c')
        f:notify('redline/permissionWithdrawn', { askId = 'k2', reason = 'cancelled' })
        eq(other().error, nil)
        nvim:lua('vim.g.messages = {}')
        nvim:keys('because<CR>')
        nvim:hears('no longer asked: your answer came too late')
        eq(other().result, nil)
      end)
    end,
  },
  {
    'a rule is shown and edited before it is saved; <Esc> goes back, and nothing is granted',
    function()
      for key, option in pairs({ s = 'session', f = 'folder', a = 'always' }) do
        with(function(f, nvim)
          local answer = f:request('redline/permission', ask('k1'))
          nvim:sees('Allow once')
          nvim:keys(':Redline permission<CR>' .. key)
          eq(place(nvim), 'rule')
          eq(nvim:lines(), { asks.rule })
          sees_all(nvim, { 'save it and run', 'Counts ', 'cargo test --workspace # k1' })
          nvim:keys('<Esc>')
          eq(place(nvim), 'ask')
          eq(count(nvim), 1)
          nvim:keys(key .. 'q')
          eq(place(nvim), 'ask')
          nvim:keys(key .. ':q<CR>')
          eq(place(nvim), 'ask')
          nvim:keys(key .. 'ggdd<CR>')
          nvim:hears('there is no rule here')
          eq(place(nvim), 'rule')
          nvim:keys("iallow Bash --cmd 'cargo *'<CR>  allow Read<CR><Esc><CR>")
          eq(
            answer().result,
            { option = option, rule = "allow Bash --cmd 'cargo *'\n  allow Read\n" }
          )
          nvim:sees_no('Allow once')
          nvim:sees_no('save it and run')
          eq(place(nvim), 'a.txt')
        end)
      end
    end,
  },
  {
    ':w saves the rule, too; several rules are one a line; the next ask comes into view',
    function()
      with(function(f, nvim)
        -- letter by letter, what is inside of quotes too
        local rules = "allow A\nallow Bash --cmd 'b\n\n  c '\nallow D\nallow E"
        local options = {
          { id = 'session', label = 'Allow for the session', covers = rules },
          { id = 'reject', label = 'Reject' },
        }
        local answer = f:request('redline/permission', ask('k1', { options = options }))
        local other = f:request('redline/permission', ask('k2'))
        sees_all(nvim, { '1 of 2', '↳ allow A', "allow Bash --cmd 'b", '… and 3 more' })
        nvim:keys(':Redline permission<CR>s')
        eq(nvim:lines(), vim.split(rules, '\n'))
        nvim:keys(':w<CR>')
        eq(answer().result, { option = 'session', rule = rules })
        nvim:sees('# k2')
        eq(place(nvim), 'ask')
        nvim:keys('fIx<Esc>:q<CR>')
        nvim:sees('E37')
        nvim:keys('0xZZ')
        eq(other().result, { option = 'folder', rule = asks.rule })
        eq(place(nvim), 'a.txt')
      end)
    end,
  },
  {
    'withdrawn while its rule is edited: the editor goes and says so, another ask stays',
    function()
      with(function(f, nvim)
        local answer = f:request('redline/permission', ask('k1'))
        nvim:sees('Allow once')
        nvim:keys(':Redline permission<CR>aA more')
        f:notify(
          'redline/permissionWithdrawn',
          { askId = 'k1', reason = 'the thread was cancelled' }
        )
        eq(answer().error, nil)
        nvim:hears('no longer asked (the thread was cancelled): the rule was not saved')
        nvim:sees_no('save it and run')
        eq(answer().result, nil)
        eq(place(nvim), 'a.txt')
        eq(nvim:lua('return vim.api.nvim_get_mode().mode'), 'n')
        local one = f:request('redline/permission', ask('k2'))
        local two = f:request('redline/permission', ask('k3'))
        nvim:sees('1 of 2')
        nvim:keys(':Redline permission<CR>a')
        f:notify('redline/permissionWithdrawn', { askId = 'k3', reason = 'x' })
        eq(two().error, nil)
        eq(place(nvim), 'rule')
        nvim:keys('<CR>')
        eq(one().result.option, 'always')
      end)
    end,
  },
  {
    'asked once more, because the rule was none: the note, and the rule as it was edited',
    function()
      with(function(f, nvim)
        local answer = f:request('redline/permission', ask('k1'))
        nvim:sees('Allow once')
        nvim:keys(':Redline permission<CR>fccallow Bahs<Esc><CR>')
        eq(answer().result.rule, 'allow Bahs')
        local args = { args = { cmd = 'cargo test --workspace # k1' } }
        args.note = 'line 1, column 7: there is no tool "Bahs"'
        answer = f:request('redline/permission', ask('k2', args))
        nvim:sees(args.note)
        nvim:keys(':Redline permission<CR>f')
        eq(nvim:lines(), { 'allow Bahs' })
        nvim:keys('q')
        nvim:keys('r')
        eq(answer().result, { option = 'reject' })
        -- another call has its own
        f:request('redline/permission', ask('k3', { note = 'no' }))
        nvim:sees('# k3')
        nvim:keys(':Redline permission<CR>f')
        eq(nvim:lines(), { asks.rule })
      end)
    end,
  },
  {
    'an answer for which no rule is saved needs no second step',
    function()
      with(function(f, nvim)
        local options = { { id = 'session', label = 'Allow for the session' } }
        local answer = f:request('redline/permission', ask('k1', { options = options }))
        nvim:sees('s  Allow for the session')
        nvim:sees_no('session…')
        nvim:keys(':Redline permission<CR>s')
        eq(answer().result, { option = 'session' })
      end)
    end,
  },
  {
    'several commands one a line; a long one is wholly visible; what it depends on is said',
    function()
      with(function(f, nvim)
        local args = { commands = { { cmd = 'npm run lint' }, { cmd = 'npm test' } } }
        local answer = f:request('redline/permission', ask('k1', { tool = 'Check', args = args }))
        sees_all(nvim, { 'npm run lint', 'npm test' })
        nvim:keys(':Redline permission<CR>r')
        eq(answer().result.option, 'reject')
        local long = 'echo ' .. ('word '):rep(50) .. 'END'
        local more = { args = { cmd = long }, detail = long .. '\nwith MODE=fast' }
        f:request('redline/permission', ask('k2', more))
        sees_all(nvim, { 'END', 'with MODE=fast', 'Reject, and say why' })
        eq(select(2, nvim:sees('END')), nil)
      end)
    end,
  },
  {
    'what the screen cannot hold is counted where it was, and a key shows all of it',
    function()
      with(function(f, nvim)
        local lines = {}
        for i = 1, 80 do
          lines[i] = 'echo line ' .. i
        end
        f:request('redline/permission', ask('k1', { args = { cmd = table.concat(lines, '\n') } }))
        sees_all(nvim, { 'echo line 1', ' more lines …', 'echo line 80', 'o  Allow once' })
        sees_all(nvim, { 'c  Reject, and say why', 'v  Show all of it' })
        nvim:sees_no('echo line 40')
        nvim:keys(':Redline permission<CR>v')
        eq(place(nvim), 'text')
        nvim:keys('/line 40<CR>')
        nvim:sees('echo line 40')
        nvim:keys('q')
        eq(place(nvim), 'ask')
        eq(count(nvim), 1)
      end)
    end,
  },
  {
    'control characters, megabytes on one line, a small screen',
    function()
      with(function(f, nvim)
        local args = { cmd = 'a\0b\27[31m\r' }
        local answer = f:request('redline/permission', ask('k0', { args = args }))
        nvim:sees('a␀b^[[31m')
        nvim:keys(':Redline permission<CR>r')
        eq(answer().result, { option = 'reject' })
        local long = 'echo ' .. ('x'):rep(3000000) .. ' END'
        f:request('redline/permission', ask('k1', { args = { cmd = long } }))
        sees_all(nvim, { 'xxxxxxxxxx', 'xx END', '… 1 line is not shown whole …' })
        sees_all(nvim, { 'o  Allow once', 'r  Reject' })
        nvim:lua('vim.o.columns, vim.o.lines = 40, 12')
        nvim:sees_no('Allow once')
        nvim:keys(':Redline permission<CR>G')
        nvim:sees('Reject, and say why')
        nvim:keys('q')
        nvim:keys(':Redline permission<CR>a')
        eq(place(nvim), 'rule')
        nvim:sees('save it and run')
      end)
    end,
  },
  {
    'a change in its colours, the arguments exactly, the rule and where it stands',
    function()
      with(function(f, nvim)
        f:request(
          'redline/permission',
          ask('k1', {
            title = 'edit_file: /etc/notes.txt',
            tool = 'edit_file',
            args = { path = '/etc/notes.txt', old_str = 'b', new_str = 'B' },
            detail = 'notes.txt  +1 −1\n@@ -1,2 +1,2 @@\n a\n-b\n+B',
            reason = {
              action = 'ask',
              rule = 'ask edit_file',
              source = 'user /x/settings.json',
              line = 7,
              text = 'Asks because it lies outside.',
            },
          })
        )
        sees_all(nvim, {
          'edit_file: /etc/notes.txt',
          'path: /etc/notes.txt',
          'old_str: b',
          'notes.txt  +1 −1',
          'Asks because it lies outside.',
          'ask edit_file  user /x/settings.json:7',
        })
        local groups = nvim:lua([[
          local found = {}
          for _, win in ipairs(vim.api.nvim_list_wins()) do
            if vim.api.nvim_win_get_config(win).relative ~= '' then
              local buf = vim.api.nvim_win_get_buf(win)
              for _, m in ipairs(vim.api.nvim_buf_get_extmarks(buf, -1, 0, -1, { details = true })) do
                local line = vim.api.nvim_buf_get_lines(buf, m[2], m[2] + 1, false)[1]
                found[line:sub(m[3] + 1, m[4].end_col)] = m[4].hl_group
              end
            end
          end
          return found
        ]])
        eq(groups['-b'], 'RedlineDelete')
        eq(groups['+B'], 'RedlineAdd')
        eq(groups['+1'], 'Added')
        eq(groups[' −1'], 'Removed')
      end)
    end,
  },
  {
    'a server that ends takes its asks with it',
    function()
      with(function(f, nvim)
        f:request('redline/permission', ask('k1'))
        nvim:sees('Allow once')
        nvim:keys(':Redline permission<CR>a')
        f:tell({ exit = 0 })
        nvim:hears('no longer asked (the server ended): the rule was not saved')
        nvim:sees_no('Allow once')
        eq(place(nvim), 'a.txt')
      end)
    end,
  },
}
