import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as wire from '../src/protocol';
import { done, openDocument } from './fake-vscode';
import { URI, hunk, review } from './samples';
import { PATH, inWorld, onlyMessage, until } from './world';

const TEXT = Array.from({ length: 40 }, (_, i) => `line ${String(i)}\n`).join('');
const line = (n: number): string => `line ${String(n)}\n`;

test('back to before a turn, and the way back undone', async () => {
  await inWorld(async (world) => {
    openDocument(PATH, TEXT);
    const origin = { threadId: 't1', agent: 'Redline', tool: 'rewind', toolCallId: 'rewind-1' };
    const back = { ...hunk('r', 5, 'two\n', line(5)), state: 'applied', origin } as wire.Hunk;
    world.answers.set(wire.threads, () => ({ threads: [] }));
    await world.run('rewind');
    assert.match(done.passing.at(-1) ?? '', /no thread yet/);
    world.answers.set(wire.threads, () => ({ threads: [{ threadId: 't1', title: '', updatedAt: '', state: '' }] }));
    world.answers.set(wire.turns, () => ({ turns: [] }));
    await world.run('rewind');
    assert.match(done.passing.at(-1) ?? '', /has changed a file/);
    world.answers.set(wire.turns, () => ({ turns: [{ turn: 1, files: [URI] }, { turn: 3, files: [URI] }] }));
    await world.run('rewind');
    assert.equal(world.got.some(({ method }) => method === wire.rewind), false, 'dismissed');
    done.answers = [{ turn: 1 }];
    world.answers.set(wire.rewind, async () => {
      await world.server.sendNotification(wire.review, review(1, 1, [back, hunk('b', 9, line(9), 'b\n')]));
      return { files: [URI], withdrawn: 2, kept: [] };
    });
    const over = world.run('rewind');
    await until(() => done.messages.length > 0, 'the message');
    assert.deepEqual(world.got.at(-1), { method: wire.rewind, params: { threadId: 't1', turn: 1 } });
    const message = onlyMessage();
    assert.match(message.text, /went back to before turn 1: 1 file changed, 2 proposals withdrawn/);
    assert.deepEqual(message.items, ['Undo']);
    message.pick('Undo');
    await over;
    assert.deepEqual(world.got.at(-1)?.params, { action: 'reject', uri: URI, hunks: ['r'], revision: 1 });
  });
});

test('a way back by number: what stays is a warning, an error is said', async () => {
  await inWorld(async (world) => {
    world.app.turns.current = 't9';
    world.answers.set(wire.rewind, () => ({ files: [], withdrawn: 0, kept: [{ uri: URI, reason: 'it does not exist any more' }] }));
    void world.run('rewind', 2);
    await until(() => done.messages.length > 0, 'the message');
    assert.deepEqual(world.got.at(-1)?.params, { threadId: 't9', turn: 2 });
    assert.match(onlyMessage().text, /nothing went back to before turn 2; .*: it does not exist any more/);
    assert.deepEqual(onlyMessage().items, []);
    done.messages = [];
    world.answers.set(wire.rewind, () => { throw new Error('no checkpoints are kept here'); });
    await world.run('rewind', 2);
    assert.match(onlyMessage().text, /no checkpoints are kept here/);
  });
});
