local Child = require('child')
local Fake = require('fake')
local eq = require('eq')

---@param check fun(f: table, nvim: table)
---@param options? table
local function with(check, options)
  local all = {
    files = { ['a.txt'] = 'one\ntwo\n' },
    open = 'a.txt',
  }
  Fake.with(vim.tbl_extend('force', all, options or {}), check)
end

return {
  {
    'questions',
    function()
      with(function(f, nvim)
        local answer = f:request('redline/question', {
          questions = {
            { text = 'Which?', type = 'SingleChoice', choices = { 'red', 'blue' } },
            { text = 'Name?', type = 'FreeText', defaultValue = 'x' },
          },
        })
        nvim:sees('blue')
        nvim:keys('2<CR>')
        nvim:sees('Name?')
        nvim:keys('yz<CR>')
        eq(answer().result, {
          answers = {
            { question = 'Which?', selected = { 'blue' } },
            { question = 'Name?', text = 'xyz' },
          },
        })
        answer =
          f:request('redline/question', { questions = { { text = 'Free?', type = 'FreeText' } } })
        nvim:sees('Free?')
        nvim:keys('<Esc>')
        eq(answer().error, nil)
        eq(answer().result, nil)
      end)
    end,
  },
  {
    'questions: own answers, open ones, required ones, dismissed ones',
    function()
      with(function(f, nvim)
        -- The user as a list: a number picks an item, false leaves, a text is typed.
        nvim:lua([[
          vim.g.prompts = {}
          local function say(prompt)
            vim.g.prompts = vim.list_extend(vim.g.prompts, { prompt })
            return table.remove(_G.user, 1)
          end
          vim.ui.select = function(items, options, choose)
            local n = say(options.prompt)
            assert(not n or options.format_item(items[n]))
            choose(n and items[n] or nil)
          end
          vim.ui.input = function(options, done)
            local text = say(options.prompt)
            done(text == 'DEFAULT' and options.default or text or nil)
          end
        ]])
        local function put(question, user)
          nvim:lua('vim.g.prompts = {}; _G.user = ' .. vim.inspect(user))
          local answer = f:request('redline/question', { questions = { question } })()
          eq(answer.error, nil)
          return answer.result
        end
        local function check(question, user, want)
          local result = put(question, user)
          eq(result and result.answers, want)
        end
        local single = { text = 'Q?', type = 'SingleChoice', choices = { 'red', 'blue' } }
        check(single, { 2 }, { { question = 'Q?', selected = { 'blue' } } })
        check(single, { 3, 'green' }, { { question = 'Q?', text = 'green' } })
        check(single, { 4 }, {})
        check(single, { false }, nil)
        local required = vim.tbl_extend('force', single, { required = true, note = 'One only.' })
        check(required, { 3, ' ', 1 }, { { question = 'Q?', selected = { 'red' } } })
        eq(nvim:lua('return vim.g.prompts[1]'), 'Q? (needs an answer) · One only.')
        local many = { text = 'Q?', type = 'MultiChoice', choices = { 'a', 'b' } }
        check(many, { 2, 3, 2, 1 }, { { question = 'Q?', selected = { 'b' } } })
        check(many, { 3, 4, 'c', 1 }, { { question = 'Q?', selected = { 'b' }, text = 'c' } })
        check(many, { 1 }, {})
        check(many, { 2, false }, nil)
        many.required = true
        check(many, { 1, 2, 1 }, { { question = 'Q?', selected = { 'a' } } })
        local free = { text = 'Q?', type = 'FreeText', defaultValue = 'moon' }
        check(free, { 'DEFAULT' }, { { question = 'Q?', text = 'moon' } })
        check(free, { '' }, {})
        free.required = true
        check(free, { '', 'x' }, { { question = 'Q?', text = 'x' } })
        check(free, { false }, nil)
      end)
    end,
  },
  {
    'prompt with its context; events in the log; one message at the end; stop',
    function()
      with(function(f, nvim)
        f:answer('redline/prompt', { threadId = 't1', turnId = 'u1' })
        nvim:keys(':2Redline prompt do it<CR>')
        local params = f:expect('redline/prompt')
        eq(params.text, 'do it')
        eq(params.context, {
          activeUri = f.uri,
          openUris = { f.uri },
          selection = {
            uri = f.uri,
            range = { start = { line = 1, character = 0 }, ['end'] = { line = 2, character = 0 } },
          },
        })
        Child.eventually('working', function()
          return nvim:lua("return require('redline').statusline()") == 'redline: working'
        end)
        nvim:keys(':Redline stop<CR>')
        eq(f:expect('redline/cancel'), { threadId = 't1' })
        local function event(seq, body)
          f:notify(
            'redline/threadEvent',
            { threadId = 't1', turnId = 'u1', seq = seq, event = body }
          )
        end
        local call =
          { type = 'toolCall', toolCallId = 'c', name = 'Read', args = {}, title = 'Read a.txt' }
        event(1, { type = 'text', delta = 'Hel' })
        event(2, { type = 'text', delta = 'lo' })
        event(3, vim.tbl_extend('force', call, { status = 'in-progress' }))
        event(4, vim.tbl_extend('force', call, { status = 'done', elapsedMs = 1200 }))
        event(5, { type = 'text', delta = 'Bye' })
        f:review({ Fake.hunk('h1', 0, 1, 'one\n', '1\n') })
        event(6, { type = 'turnEnd', reason = 'awaitingReview' })
        nvim:hears('1 hunk to review in 1 file')
        nvim:keys(':Redline log<CR>')
        eq(nvim:lines(), {
          '> do it',
          'Hello',
          '- done: Read a.txt (1.2 s)',
          'Bye',
          '(1 hunk to review in 1 file)',
          '',
        })
        nvim:keys(':q<CR>:Redline prompt<CR>')
        nvim:keys('again<CR>')
        params = f:expect('redline/prompt')
        eq({ params.text, params.threadId }, { 'again', 't1' })
      end)
    end,
  },
  {
    "a subagent's calls in the log, below the call that sent it",
    function()
      with(function(f, nvim)
        local seq = 0
        local function event(id, status, title, parent)
          seq = seq + 1
          local call = { type = 'toolCall', toolCallId = id, name = 'x', args = {} }
          f:notify('redline/threadEvent', {
            threadId = 't1',
            turnId = 'u1',
            seq = seq,
            parentToolUseId = parent,
            event = vim.tbl_extend('force', call, { status = status, title = title }),
          })
        end
        local function text(delta, parent)
          f:notify('redline/threadEvent', {
            threadId = 't1',
            turnId = 'u1',
            seq = seq,
            parentToolUseId = parent,
            event = { type = 'text', delta = delta },
          })
        end
        event('c1', 'in-progress', 'Task one')
        event('c2', 'in-progress', 'Task two')
        event('c1', 'in-progress', 'Task one!')
        event('r', 'in-progress', 'Read a', 'c1')
        event('r', 'in-progress', 'Read b', 'c2')
        text('thinking', 'c1')
        event('g', 'in-progress', 'Grep', 'c1')
        event('r', 'done', 'Read a', 'c1')
        event('c2', 'done', 'Task two')
        event('r', 'error', 'Read b', 'c2')
        text('And so')
        event('g', 'done', 'Grep', 'c1')
        event('e', 'done', 'edit_file', 'c1')
        event('c1', 'done', 'Task one')
        event('x', 'done', 'Read x', 'gone')
        nvim:keys(':Redline log<CR>')
        Child.eventually('the last line', function()
          return nvim:lines()[8] == '  - done: Read x'
        end)
        eq(nvim:lines(), {
          '- done: Task one',
          '  - done: Read a',
          '  - done: Grep',
          '  - done: edit_file',
          '- done: Task two',
          '  - error: Read b',
          'And so',
          '  - done: Read x',
          '',
        })
      end)
    end,
  },
  {
    'a new thread, and the prompts after it',
    function()
      with(function(f, nvim)
        f:answer('redline/prompt', { threadId = 't1', turnId = 'u1' })
        nvim:keys(':Redline prompt one<CR>')
        eq(f:expect('redline/prompt').threadId, nil)
        Child.eventually('the answer', function()
          return nvim:lua("return require('redline.thread').current") == 't1'
        end)
        f:answer('redline/prompt', { threadId = 't2', turnId = 'u2' })
        nvim:keys(':Redline new<CR>')
        nvim:keys('two<CR>')
        local params = f:expect('redline/prompt')
        eq({ params.text, params.threadId }, { 'two', nil })
        Child.eventually('the answer', function()
          return nvim:lua("return require('redline.thread').current") == 't2'
        end)
        nvim:keys(':Redline prompt three<CR>')
        eq(f:expect('redline/prompt').threadId, 't2')
      end)
    end,
  },
  {
    'back to before a turn: by number, chosen, completed; what stays is said',
    function()
      with(function(f, nvim)
        f:answer('redline/threads', { threads = {} })
        nvim:keys(':Redline rewind<CR>')
        nvim:hears('there is no thread yet')
        local thread = { threadId = 't1', title = '', updatedAt = '', state = '' }
        f:answer('redline/threads', { threads = { thread } })
        f:answer('redline/turns', { turns = {} })
        nvim:keys(':Redline rewind<CR>')
        nvim:hears('no turn of this thread has changed a file')
        f:answer('redline/turns', {
          turns = {
            { turn = 1, files = { f.uri } },
            { turn = 3, files = { f.uri, f:uri_of('b.txt') } },
          },
        })
        f:answer('redline/rewind', { files = { f.uri }, withdrawn = 2, kept = {} })
        nvim:lua([[
          vim.ui.select = function(items, options, choose)
            vim.g.shown = vim.tbl_map(options.format_item, items)
            choose(items[1])
          end
        ]])
        nvim:keys(':Redline rewind<CR>')
        eq(f:expect('redline/rewind'), { threadId = 't1', turn = 3 })
        eq(nvim:lua('return vim.g.shown'), { 'Turn 3 · a.txt, b.txt', 'Turn 1 · a.txt' })
        nvim:hears('went back to before turn 3: 1 file changed, 2 proposals withdrawn')
        local kept = { { uri = f.uri, reason = '1 place has changed since and is as it was' } }
        f:answer('redline/rewind', { files = {}, withdrawn = 0, kept = kept })
        nvim:keys(':Redline rewind 1<CR>')
        eq(f:expect('redline/rewind'), { threadId = 't1', turn = 1 })
        nvim:hears(
          'nothing went back to before turn 1; a.txt: 1 place has changed since and is as it was'
        )
        nvim:keys(':Redline rewind x<CR>')
        nvim:hears('"x" is not the number of a turn')
        eq(nvim:lua("return vim.fn.getcompletion('Redline rewind ', 'cmdline')"), { '3', '1' })
      end)
    end,
  },
  {
    'what the client declares, and what it sends to start with',
    function()
      with(function(f)
        local params
        for _, message in ipairs(f.all) do
          params = message.method == 'initialize' and message.params or params
        end
        eq(params.capabilities.experimental.redline, {
          review = true,
          permission = true,
          trust = true,
          question = true,
          save = true,
          open = true,
          format = true,
          threadEvents = true,
          changeReason = true,
        })
        eq(params.capabilities.general.positionEncodings, { 'utf-8', 'utf-16', 'utf-32' })
        eq(params.initializationOptions, { redline = { provider = 'script' } })
      end, { setup = { settings = { provider = 'script' } } })
    end,
  },
}
