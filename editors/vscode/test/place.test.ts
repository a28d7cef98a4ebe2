import assert from 'node:assert/strict';
import { test } from 'node:test';
import { common, lineSpans, lines, rowEdit, rowsOf, shift } from '../src/place';
import { follow } from '../src/follow';
import { random } from './samples';

const range = (a: number, b: number, c: number, d: number) => ({
  start: { line: a, character: b },
  end: { line: c, character: d },
});

test('rows follow edits as the server moves hunks', () => {
  // [hunk] edit of rows [first, last) to [first, end) → [hunk]
  const cases: [[number, number], [number, number, number], [number, number], string][] = [
    [[5, 7], [0, 0, 2], [7, 9], 'an insertion above'],
    [[5, 7], [5, 5, 6], [6, 8], 'an insertion at the start goes before'],
    [[5, 7], [6, 6, 7], [5, 8], 'one inside becomes part of it'],
    [[5, 7], [7, 7, 8], [5, 7], 'one at the end goes after'],
    [[5, 5], [5, 5, 6], [6, 6], 'at an insertion point it goes before'],
    [[5, 7], [2, 4, 2], [3, 5], 'a deletion above'],
    [[5, 7], [5, 6, 5], [5, 6], 'a deletion of its first row'],
    [[5, 7], [4, 8, 4], [4, 4], 'a deletion of all of it'],
    [[5, 7], [6, 7, 9], [5, 9], 'a replacement inside'],
    [[5, 7], [9, 10, 12], [5, 7], 'an edit below'],
  ];
  for (const [[first, last], [a, b, c], [x, y], why] of cases) {
    assert.deepEqual(shift({ first, last }, { first: a, last: b, end: c }), { first: x, last: y }, why);
  }
});

test('changes of text are edits of rows', () => {
  const cases: [ReturnType<typeof range>, string, [number, number, number]][] = [
    [range(3, 0, 3, 0), 'new\n', [3, 3, 4]],
    [range(3, 4, 3, 4), 'x', [3, 4, 4]],
    [range(3, 4, 3, 4), '\n', [3, 4, 5]],
    [range(3, 0, 5, 0), '', [3, 5, 3]],
    [range(3, 0, 3, 0), 'x', [3, 4, 4]],
    [range(3, 2, 5, 1), 'a\r\nb', [3, 6, 5]],
  ];
  for (const [at, text, [first, last, end]] of cases) {
    assert.deepEqual(rowEdit({ range: at, text }), { first, last, end }, JSON.stringify([at, text]));
  }
});

test('rows that an edit does not touch stay with their text', () => {
  for (let seed = 0; seed < 400; seed += 1) {
    const below = random(seed);
    const text = Array.from({ length: 30 }, (_, i) => `line ${String(i)}`);
    let first = 10 + below(5);
    let last = first + 1 + below(4);
    const mine = text.slice(first, last);
    let now = [...text];
    for (let step = 0; step < 6; step += 1) {
      const above = below(2) === 0;
      const start = above ? below(first) : last + below(Math.max(1, now.length - last));
      const room = (above ? first : now.length) - start;
      const stop = start + below(Math.max(1, room));
      const added = Array.from({ length: below(3) }, (_, i) => `new ${String(seed)} ${String(step)} ${String(i)}`);
      const change = { range: range(start, 0, stop, 0), text: added.map((line) => `${line}\n`).join('') };
      now = [...now.slice(0, start), ...added, ...now.slice(stop)];
      ({ first, last } = shift({ first, last }, rowEdit(change)));
      assert.deepEqual(now.slice(first, last), mine, `seed ${String(seed)}`);
    }
  }
});

test('ranges of whole lines', () => {
  assert.deepEqual(rowsOf(range(2, 0, 4, 0)), { first: 2, last: 4 });
  assert.deepEqual(rowsOf(range(2, 0, 2, 0)), { first: 2, last: 2 });
  assert.deepEqual(rowsOf(range(2, 0, 2, 5)), { first: 2, last: 3 });
});

test('lines, and what two blocks share', () => {
  assert.deepEqual([lines(''), lines('a\nb'), lines('a\r\nb\r\n'), lines('\n')], [[], ['a', 'b'], ['a', 'b'], ['']]);
  assert.deepEqual(common(['a', 'x', 'b'], ['a', 'y', 'z', 'b']), { head: 1, tail: 1 });
  assert.deepEqual(common(['a'], ['a', 'a']), { head: 1, tail: 0 });
  assert.deepEqual(common([], ['a']), { head: 0, tail: 0 });
});

test('flat spans fall into lines, without line ends', () => {
  assert.deepEqual(lineSpans('ab\r\ncd\n', [[1, 5]]), [
    { line: 0, from: 1, to: 2 },
    { line: 1, from: 0, to: 1 },
  ]);
  assert.deepEqual(lineSpans('a😀b', [[1, 3]]), [{ line: 0, from: 1, to: 3 }]);
  assert.deepEqual(lineSpans('ab', [[0, 99]]), [{ line: 0, from: 0, to: 2 }]);
});

test('a position follows edits', () => {
  const edit = (a: number, b: number, c: number, d: number, newText: string) => ({ range: range(a, b, c, d), newText });
  const cases: [[number, number], ReturnType<typeof edit>[], [number, number], string][] = [
    [[5, 3], [edit(1, 0, 2, 0, 'a\nb\nc\n')], [7, 3], 'replaced above'],
    [[5, 3], [edit(5, 3, 5, 3, 'xx')], [5, 3], 'an insertion at it leaves it'],
    [[5, 3], [edit(5, 0, 5, 2, 'wxyz')], [5, 5], 'the same line, before it'],
    [[5, 3], [edit(4, 0, 7, 0, 'one\n')], [5, 3], 'inside: its line, as far as there is one'],
    [[6, 3], [edit(4, 0, 7, 0, '')], [4, 3], 'inside what is gone'],
    [[7, 0], [edit(4, 0, 7, 0, 'one\n')], [5, 0], 'at the end of whole lines'],
    [[5, 9], [edit(5, 0, 5, 1, ''), edit(5, 3, 5, 4, 'abc')], [5, 10], 'two on its line'],
    [[2, 1], [edit(5, 0, 6, 0, '')], [2, 1], 'below'],
  ];
  for (const [[line, character], edits, [l, c], why] of cases) {
    assert.deepEqual(follow({ line, character }, edits), { line: l, character: c }, why);
  }
});
