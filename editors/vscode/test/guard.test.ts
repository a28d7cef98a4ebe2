import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Guard, UNREAD } from '../src/guard';

/** Each answer with the milliseconds after which it came. */
async function answered(...given: [number, string | undefined][]): Promise<{ answer: string | undefined; shown: number }> {
  let [now, shown] = [5_000, 0];
  const answer = await new Guard(() => now).ask(() => {
    const [after, what] = given[shown] ?? [0, 'never'];
    shown += 1;
    now += after;
    return Promise.resolve(what);
  });
  return { answer, shown };
}

test('an answer counts once what it answers can have been read', async () => {
  assert.equal(UNREAD, 300);
  assert.deepEqual(await answered([300, 'yes']), { answer: 'yes', shown: 1 });
  assert.deepEqual(await answered([299, 'yes'], [4_000, 'no']), { answer: 'no', shown: 2 });
  assert.deepEqual(await answered([10, 'no'], [0, 'yes'], [300, 'no']), { answer: 'no', shown: 3 });
  assert.deepEqual(await answered([0, undefined]), { answer: undefined, shown: 1 });
});

test('what cannot be shown is given up, and never taken for an answer', async () => {
  assert.deepEqual(await answered([0, 'yes'], [0, 'yes'], [0, 'yes'], [0, 'yes'], [0, 'yes'], [0, 'yes']), { answer: undefined, shown: 5 });
});

test('how long something has been there', () => {
  let now = 7;
  const isSeen = new Guard(() => now).appears();
  assert.equal(isSeen(), false);
  now = 7 + UNREAD;
  assert.equal(isSeen(), true);
});
