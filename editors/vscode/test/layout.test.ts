import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layout, layoutCreated, type Look } from '../src/layout';
import type { Hunk } from '../src/protocol';
import { Store } from '../src/store';
import { hasIcons } from '../src/words';
import { URI, hunk, review } from './samples';

const look: Look = { languageId: 'rust', lineCount: 40, threads: true, expandLimit: 5 };

function picture(hunks: Hunk[], more: Partial<Look> = {}) {
  const store = new Store();
  const state = review(1, 1, hunks);
  store.set(URI, state);
  return layout(store.items(URI), state, { ...look, ...more });
}

test('old lines red, the new text below the last of them', () => {
  const { marks, threads, lenses } = picture([hunk('a', 3, 'one\ntwo\n', 'three\n', { words: { old: [[0, 2]], new: [] } })]);
  assert.deepEqual(marks.removed, [{ line: 3, end: 4 }]);
  assert.deepEqual(marks.removedWord, [{ line: 3, end: 3, from: 0, to: 2 }]);
  assert.deepEqual(threads, [
    { id: 'a', line: 4, label: 'Change 1 of 1  ·  −2 +1', body: '```rust\nthree\n```\n', context: 'pending', author: 'script proposes' },
  ]);
  assert.deepEqual(lenses.map(({ line, title }) => [line, title]), [[3, '$(check)\u00a0Accept'], [3, 'Reject'], [3, '1 of 1']]);
});

test('an insertion stands under the line before, with its lens there too', () => {
  const { marks, threads, lenses } = picture([hunk('a', 3, '', 'new\n')]);
  assert.deepEqual(marks.insertion, [{ line: 2, end: 2 }]);
  assert.equal(threads[0]?.line, 2);
  assert.equal(lenses[0]?.line, 2);
  assert.equal(picture([hunk('a', 0, '', 'new\n')]).threads[0]?.line, 0);
});

test('lines that are the same on both sides are neither red nor shown', () => {
  const { marks, threads } = picture([hunk('a', 3, 'head\nold\ntail\n', 'head\nnew\ntail\n')]);
  assert.deepEqual(marks.removed, [{ line: 4, end: 4 }]);
  assert.equal(threads[0]?.body, '```rust\nnew\n```\n');
  assert.equal(threads[0].label, 'Change 1 of 1  ·  −1 +1');
});

test('a last line without an end that gets lines after it', () => {
  const last = { ...hunk('a', 9, '', 'last\nmore\n'), oldText: 'last', range: { start: { line: 9, character: 0 }, end: { line: 9, character: 4 } } };
  const { marks, threads } = picture([last], { lineCount: 10 });
  assert.deepEqual([marks.removed, marks.insertion], [[], [{ line: 9, end: 9 }]]);
  assert.equal(threads[0]?.body, '```rust\nmore\n```\n');
});

test('a deletion says so', () => {
  const { threads } = picture([hunk('a', 3, 'one\ntwo\n', '')]);
  assert.equal(threads[0]?.body, '$(trash) Removes 2 lines.');
});

test('a file that goes is red from top to bottom, and it is said on its first line', () => {
  const of = (state: Hunk['state'], more: Partial<Hunk> = {}) => {
    const store = new Store();
    const shown = review(1, 1, [hunk('a', 0, 'one\ntwo\n', '', { state, ...more })], { change: 'deleted' });
    store.set(URI, shown);
    return layout(store.items(URI), shown, { ...look, lineCount: 3 });
  };
  const { marks, threads, lenses } = of('pending');
  assert.deepEqual(marks.removed, [{ line: 0, end: 1 }]);
  assert.deepEqual(threads.map(({ line, label, body, context }) => [line, label, body, context]), [
    [0, 'Deletes the file  ·  −2', '$(trash) Deletes this file.', 'pending.deletion'],
  ]);
  assert.deepEqual(lenses.map(({ line, title }) => [line, title]), [[0, '$(check)\u00a0Delete File'], [0, 'Reject'], [0, '1 of 1']]);
  assert.match(of('pending', { mixed: true }).threads[0]?.body ?? '', /You typed in this file since/);
  const nowhere = { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } } };
  const applied = of('applied', nowhere);
  assert.deepEqual([applied.marks.added, applied.marks.removed], [[], []]);
  assert.deepEqual(applied.lenses.map(({ line, title }) => [line, title]), [[0, '$(check)\u00a0Keep'], [0, 'Bring File Back'], [0, '1 of 1']]);
  assert.equal(applied.hovers[0]?.body, 'This file is deleted; the editor keeps its text.');
  const { marks: none, lenses: empty } = of('pending', { oldText: '', ...nowhere });
  assert.deepEqual([none.insertion, empty[0]?.line], [[{ line: 0, end: 0 }], 0]);
});

test('each state has its look', () => {
  const of = (state: Hunk['state'], more: Partial<Hunk> = {}) => {
    const { marks, threads, lenses } = picture([hunk('a', 3, 'one\n', 'two\n', { state, ...more })]);
    const kinds = Object.entries(marks).filter(([, some]) => some.length > 0).map(([kind]) => kind);
    return [kinds, threads.map(({ context }) => context), lenses.map(({ title }) => title)];
  };
  assert.deepEqual(of('pending'), [['removed'], ['pending'], ['$(check)\u00a0Accept', 'Reject', '1 of 1']]);
  assert.deepEqual(of('accepting'), [['accepting'], ['accepting'], ['$(sync~spin)\u00a0Accepting…']]);
  assert.deepEqual(of('conflict'), [['conflict'], ['conflict'], ['$(warning)\u00a0Conflict', 'Reject', '1 of 1']]);
  assert.deepEqual(of('applied'), [['added'], [], ['$(check)\u00a0Keep', 'Undo', '1 of 1']]);
  assert.deepEqual(of('accepted'), [[], [], []]);
  assert.deepEqual(of('rejected'), [[], [], []]);
});

test('what a rule allowed tells what was there', () => {
  const hover = (old: string) => picture([hunk('a', 3, old, 'two\n', { state: 'applied', range: { start: { line: 3, character: 0 }, end: { line: 4, character: 0 } } })]).hovers[0];
  assert.deepEqual(hover('one\n'), { line: 3, end: 3, body: 'Was:\n\n```rust\none\n```\n' });
  assert.equal(hover('')?.body, 'New.');
});

test('a mixed hunk says that it holds typing of the user', () => {
  const { threads } = picture([hunk('a', 3, 'one\n', 'two\n', { mixed: true })]);
  assert.match(threads[0]?.label ?? '', /contains your typing/);
  assert.match(threads[0]?.body ?? '', /What you typed inside is kept/);
  assert.deepEqual([hasIcons(threads[0]?.body ?? ''), hasIcons('$(trash) Removes 2 lines.')], [false, true]);
});

test('above the limit only the current one has a thread; the others tell it on hovering', () => {
  const hunks = Array.from({ length: 6 }, (_, i) => hunk(`h${String(i)}`, i * 3, 'x\n', `y${String(i)}\n`));
  const ids = (more: Partial<Look>) => picture(hunks, more).threads.map(({ id }) => id);
  assert.deepEqual(ids({}), ['h0']);
  assert.deepEqual(ids({ current: 'h3' }), ['h3']);
  assert.deepEqual(ids({ current: 'gone' }), ['h0']);
  assert.equal(ids({ expandLimit: 6 }).length, 6);
  const { marks, lenses, hovers } = picture(hunks, { current: 'h3' });
  assert.equal(marks.removed.length, 6);
  assert.deepEqual(hovers.map(({ line }) => line), [0, 3, 6, 12, 15]);
  assert.equal(hovers[0]?.body, '```rust\ny0\n```\n');
  assert.deepEqual(lenses.filter(({ title }) => title.includes('Diff')).map(({ id }) => id), ['h0', 'h1', 'h2', 'h4', 'h5']);
});

test('without comments everything else is there', () => {
  const { threads, marks, lenses } = picture([hunk('a', 3, 'one\n', 'two\n')], { threads: false });
  assert.deepEqual([threads.length, marks.removed.length], [0, 1]);
  assert.deepEqual(lenses.map(({ command }) => command), ['redline.accept', 'redline.reject', 'redline.openDiff', 'redline.next']);
});

test('a fence that no text can close', () => {
  const { threads } = picture([hunk('a', 3, '', '````md\n```\n````\n')]);
  assert.equal(threads[0]?.body, '`````rust\n````md\n```\n````\n`````\n');
});

test('nothing is drawn beyond the end of the document', () => {
  const { marks, threads } = picture([hunk('a', 30, 'x\ny\n', 'z\n')], { lineCount: 5 });
  const lines = [...Object.values(marks).flat(), ...threads].map(({ line }) => line);
  assert.ok(lines.every((line) => line < 5), JSON.stringify(lines));
});

test('words of rows that moved are not drawn', () => {
  const store = new Store();
  const state = review(1, 1, [hunk('a', 3, 'one\ntwo\n', 'x\n', { words: { old: [[0, 2]], new: [] } })]);
  store.set(URI, state);
  store.edited(URI, 2, [{ range: { start: { line: 4, character: 0 }, end: { line: 4, character: 0 } }, text: 'typed\n' }]);
  const { marks } = layout(store.items(URI), state, look);
  assert.deepEqual([marks.removed, marks.removedWord], [[{ line: 3, end: 5 }], []]);
});

test('a proposed file is green from top to bottom', () => {
  const store = new Store();
  const state = review(1, null, [hunk('a', 0, '', 'one\ntwo\n')], { change: 'created' });
  store.set(URI, state);
  const { marks, threads, lenses } = layoutCreated(store.items(URI), state, { ...look, lineCount: 3 });
  assert.deepEqual(marks.added, [{ line: 0, end: 1 }]);
  assert.deepEqual(lenses.map(({ title }) => title), ['$(check)\u00a0Accept New File', 'Reject']);
  assert.deepEqual(threads.map(({ line, label }) => [line, label]), [[1, 'New file  ·  +2']]);
});
