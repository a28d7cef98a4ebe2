local eq = require('eq')
local layout = require('redline.layout')
local log = require('redline.log')
local position = require('redline.position')
local words = require('redline.words')

return {
  {
    'rows follow edits: before, at the start, inside, at the end, over it',
    function()
      local cases = {
        -- from, to, first, last, new_last → from, to
        { 5, 7, 0, 0, 2, 7, 9 },
        { 5, 7, 5, 5, 6, 6, 8 },
        { 5, 7, 6, 6, 7, 5, 8 },
        { 5, 7, 7, 7, 9, 5, 7 },
        { 5, 5, 5, 5, 6, 6, 6 },
        { 5, 7, 5, 6, 6, 5, 7 },
        { 5, 7, 5, 7, 5, 5, 5 },
        { 5, 7, 6, 9, 6, 5, 6 },
        { 5, 7, 3, 6, 3, 3, 4 },
        { 5, 7, 0, 9, 0, 0, 0 },
        { 5, 7, 8, 9, 8, 5, 7 },
      }
      for i, c in ipairs(cases) do
        eq({ position.shift(c[1], c[2], c[3], c[4], c[5]) }, { c[6], c[7] }, 'case ' .. i)
      end
    end,
  },
  {
    'offset spans in each encoding, over several lines',
    function()
      local text = 'a😀b\nçd\n'
      eq(position.spans(text, { { 3, 4 } }, 'utf-16'), { { { 5, 6 } } })
      eq(position.spans(text, { { 5, 6 } }, 'utf-8'), { { { 5, 6 } } })
      eq(position.spans(text, { { 2, 5 } }, 'utf-32'), { { { 5, 6 } }, { { 0, 2 } } })
      eq(position.spans(text, { { 0, 99 } }, 'utf-16'), { { { 0, 6 } }, { { 0, 3 } } })
      eq(position.spans('', { { 0, 1 } }, 'utf-16'), {})
    end,
  },
  {
    'lines and their ends',
    function()
      eq({ position.lines('') }, { {}, true })
      eq({ position.lines('a\r\nb') }, { { 'a', 'b' }, false })
      eq({ position.lines('\n') }, { { '' }, true })
    end,
  },
  {
    'a diagram that was shown stands below its line',
    function()
      local call = { name = 'mermaid', status = 'done', title = 'mermaid' }
      local with = function(more)
        return vim.tbl_extend('force', call, more)
      end
      local code = 'graph TD\n  A --> B\n'
      local want = { '- done: mermaid', '', '```mermaid', 'graph TD', '  A --> B', '```', '' }
      eq(log.lines(with({ args = { code = code } })), want)
      eq(log.lines(with({ args = { code = 'pie\n"```"' } }))[3], '````mermaid')
      eq(log.lines(with({ args = { code = code }, status = 'error' })), { '- error: mermaid' })
      eq(log.lines(with({ args = {} })), { '- done: mermaid' })
      eq(log.lines(with({ args = { code = code }, name = 'Read' })), { '- done: mermaid' })
    end,
  },
  {
    'words that changed',
    function()
      eq({ words.line('let a = one;', 'let a = two;') }, { { { 8, 11 } }, { { 8, 11 } } })
      eq({ words.line('f(é)', 'f(é, x)') }, { {}, { { 4, 7 } } })
      eq({ words.line('completely', 'different words') }, { {}, {} })
      eq({ words.line('', 'x') }, { {}, {} })
      eq({ words.block({ 'a' }, { 'a', 'b' }) }, { {}, {} })
    end,
  },
  {
    'emphasis that is worth showing',
    function()
      eq(words.worth('    self.hits += 1;', { { 0, 19 } }), {})
      eq(words.worth('if let Some(x) = y {', { { 3, 17 } }), { { 3, 16 } })
      eq(words.worth('        return answer', { { 0, 8 }, { 15, 21 } }), { { 15, 21 } })
      eq(words.worth('a  b', { { 1, 2 } }), { { 1, 2 } })
    end,
  },
  {
    'lines that a hunk does not change',
    function()
      eq({ layout.common({ 'a', 'b', 'c' }, { 'a', 'x', 'c' }) }, { 1, 1 })
      eq({ layout.common({ 'a' }, { 'a', 'a' }) }, { 1, 0 })
      eq({ layout.common({}, { 'a' }) }, { 0, 0 })
    end,
  },
  {
    'broken text does not break the layout',
    function()
      for _, line in ipairs({ '\255\254', 'a\0b', '\1\2', '\226\130', ('x'):rep(1000) }) do
        for _, row in ipairs(layout.line(line, { { 0, 99, 'X' } }, 'B', 7, 4)) do
          local cells = 0
          for _, chunk in ipairs(row) do
            cells = cells + vim.fn.strdisplaywidth(chunk[1])
          end
          eq(cells <= 7, true, vim.inspect(row))
        end
      end
    end,
  },
}
