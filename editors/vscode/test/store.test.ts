import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Store, isDecided } from '../src/store';
import { URI, hunk, random, review, shuffled } from './samples';

const rows = (store: Store, key = URI) => store.items(key).map(({ hunk: { id }, first, last }) => [id, first, last]);
const insertRow = (line: number) => ({
  range: { start: { line, character: 0 }, end: { line, character: 0 } },
  text: 'typed\n',
});

test('an older review changes nothing', () => {
  const store = new Store();
  const newest = review(5, 9, [hunk('a', 3, 'x\n', 'y\n')]);
  assert.equal(store.set(URI, newest), true);
  for (const stale of [review(4, 12, [hunk('b', 1, '', 'z\n')]), review(5, 8, [hunk('a', 7, 'x\n', 'y\n')])]) {
    assert.equal(store.set(URI, stale), false);
  }
  assert.deepEqual(rows(store), [['a', 3, 4]]);
});

test('in whatever order they come, the newest review stays', () => {
  for (let seed = 0; seed < 200; seed += 1) {
    const below = random(seed);
    const sent = Array.from({ length: 8 }, (_, i) =>
      review(1 + Math.floor(i / 2), i + 1, Array.from({ length: 1 + below(3) }, (_, n) => hunk(`h${String(n)}`, n * 5 + below(4), 'x\n', `${String(i)}\n`))),
    );
    const store = new Store();
    for (const one of shuffled(sent, below)) store.set(URI, one);
    assert.equal(store.review(URI), sent.at(-1), `seed ${String(seed)}`);
  }
});

test('a review without hunks clears the file, and a later one may start anew', () => {
  const keys: string[] = [];
  const store = new Store((key) => keys.push(key));
  store.set(URI, review(5, 9, [hunk('a', 3, 'x\n', 'y\n')]));
  store.set(URI, review(6, 9, []));
  assert.deepEqual([store.items(URI), store.review(URI)], [[], undefined]);
  store.set(URI, review(1, 10, [hunk('b', 3, 'x\n', 'y\n')]));
  assert.deepEqual(rows(store), [['b', 3, 4]]);
  assert.deepEqual(keys, [URI, URI, URI]);
});

test('typing moves hunks until the server says where they are', () => {
  const store = new Store();
  store.set(URI, review(1, 1, [hunk('a', 3, 'x\n', 'y\n'), hunk('b', 8, '', 'z\n')]));
  store.edited(URI, 2, [insertRow(0)]);
  store.edited(URI, 3, [insertRow(6)]);
  assert.deepEqual(rows(store), [['a', 4, 5], ['b', 10, 10]]);
  assert.equal(store.version(URI), 3);
  // this one was made before the second edit
  store.set(URI, review(1, 2, [hunk('a', 4, 'x\n', 'y\n'), hunk('b', 9, '', 'z\n')]));
  assert.deepEqual(rows(store), [['a', 4, 5], ['b', 10, 10]]);
  store.set(URI, review(1, 3, [hunk('a', 4, 'x\n', 'y\n'), hunk('b', 11, '', 'z\n')]));
  assert.deepEqual(rows(store), [['a', 4, 5], ['b', 11, 11]]);
});

test('a review of a later version waits for its edits', () => {
  const store = new Store();
  store.set(URI, review(1, 4, [hunk('a', 5, 'x\n', 'y\n')]));
  store.edited(URI, 4, [insertRow(0)]);
  assert.deepEqual(rows(store), [['a', 5, 6]]);
});

test('what a row belongs to', () => {
  const store = new Store();
  store.set(URI, review(1, 1, [hunk('ins', 2, '', 'new\n'), hunk('two', 3, 'a\nb\n', 'c\n'), hunk('done', 9, '', '', { state: 'accepted' })]));
  const at = [0, 1, 2, 3, 4, 5, 9].map((row) => store.at(URI, row)?.hunk.id);
  assert.deepEqual(at, [undefined, 'ins', 'ins', 'two', 'two', undefined, undefined]);
  const within = (a: number, b: number) => store.within(URI, a, b).map(({ hunk: { id } }) => id);
  assert.deepEqual([within(0, 0), within(0, 1), within(4, 9), within(0, 99)], [[], ['ins'], ['two'], ['ins', 'two']]);
  assert.deepEqual(store.items(URI, isDecided).map(({ hunk: { id } }) => id), ['done']);
  assert.deepEqual(store.count(), { hunks: 2, files: 1 });
});

test('from hunk to hunk, across files, in a ring', () => {
  const store = new Store();
  const [first, second] = ['file:///a', 'file:///b'];
  store.set(first, review(1, 1, [hunk('a1', 2, 'x\n', 'y\n'), hunk('a2', 8, 'x\n', 'y\n')]));
  store.set(second, review(1, 1, [hunk('b1', 4, 'x\n', 'y\n')]));
  const go = (key: string | undefined, row: number, step: 1 | -1) => store.neighbour(key, row, step)?.hunk.id;
  assert.deepEqual(
    [go(first, 0, 1), go(first, 2, 1), go(first, 8, 1), go(second, 4, 1), go(undefined, 0, 1)],
    ['a1', 'a2', 'b1', 'a1', 'a1'],
  );
  assert.deepEqual([go(first, 8, -1), go(first, 2, -1), go(second, 4, -1), go(second, 9, -1)], ['a1', 'b1', 'a2', 'b1']);
  assert.equal(go('file:///other', 3, 1), 'a1');
  assert.equal(new Store().neighbour(first, 0, 1), undefined);
});
