import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as wire from '../src/protocol';
import { done } from './fake-vscode';
import { ask } from './samples';
import { inWorld, onlyMessage, until } from './world';

test('an ask about what is not on disk has a button for each way to run; "allow once" in the tree shows them', async () => {
  await inWorld(async (world) => {
    const options: wire.AskOption[] = [
      { id: 'acceptAndRun', label: 'Accept and run' },
      { id: 'runWithout', label: 'Run without these changes' },
      { id: 'reject', label: 'Reject' },
    ];
    const more = { pending: ['a.txt'], options: options };
    const reply = world.server.sendRequest(wire.permission, ask('A1', more));
    await until(() => done.messages.length === 1, 'the ask');
    assert.deepEqual(onlyMessage().items, ['Accept and run', 'Run without these changes', 'Reject', 'More…']);
    assert.match(onlyMessage().text, /Not on disk: a\.txt\./);
    done.messages = [];
    void world.run('allowOnce', { kind: 'ask', askId: 'A1' });
    await until(() => done.messages.length === 1, 'the dialog: nothing was chosen');
    assert.match(onlyMessage().detail, /Proposals that are not on disk: a\.txt/);
    onlyMessage().pick('Accept and run');
    assert.deepEqual(await reply, { option: 'acceptAndRun' });
  });
});
