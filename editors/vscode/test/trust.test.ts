/** Whether a folder's own rules count, and what is allowed beyond the rules. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Granted } from '../src/grants';
import * as wire from '../src/protocol';
import { brief } from '../src/trust';
import { done, window, workspace, type QuickPick } from './fake-vscode';
import { ask } from './samples';
import { inWorld, onlyMessage, until } from './world';

const question = (more: Partial<wire.TrustParams> = {}): wire.TrustParams => ({
  trustId: 'T1',
  folder: '/ws/project',
  files: ['.redline/settings.json'],
  text: "allow Bash --cmd 'make *'   (.redline/settings.json:3)\n",
  changed: false,
  ...more,
});

test('trust is a notification; what it is about can be read before it is answered', async () => {
  await inWorld(async (world) => {
    const reply = world.server.sendRequest(wire.trust, question());
    await until(() => done.messages.length === 1, 'the question');
    assert.deepEqual([onlyMessage().modal, onlyMessage().items], [false, ['Show', 'Trust', 'Not Now']]);
    assert.match(onlyMessage().text, /settings\.json of “project” has rules of its own\. Until you trust them they can only forbid/);
    onlyMessage().pick('Show');
    await until(() => done.messages.length === 2, 'the question again');
    const shown = window.activeTextEditor?.document.uri;
    assert.equal(shown?.scheme, 'redline-text');
    assert.equal(await done.contents.get('redline-text')?.provideTextDocumentContent(shown), question().text);
    done.messages[1]?.pick('Trust');
    assert.deepEqual(await reply, { trust: true });
    assert.equal(world.app.trusts.all().length, 0);
  });
});

test('closed, it goes on waiting in the tree and in the status bar; only Not Now answers it', async () => {
  await inWorld(async (world) => {
    const reply = world.server.sendRequest(wire.trust, question({ changed: true }));
    await until(() => done.messages.length === 1, 'the question');
    assert.match(onlyMessage().text, /changed since you trusted it/);
    onlyMessage().pick(undefined);
    await world.settled();
    assert.deepEqual([done.status.text, done.status.command, done.badge?.value, done.contexts.get('redline.hasAsks')], ['$(shield) Redline: trust?', 'redline.answerAsk', 1, true]);
    const [node] = done.tree?.getChildren() ?? [];
    const item = done.tree?.getTreeItem(node);
    assert.deepEqual([item?.label, item?.['description']], ['Trust the rules of project?', '.redline/settings.json']);
    done.messages = [];
    await world.server.sendNotification(wire.permissionWithdrawn, { askId: 'other', reason: 'x' });
    void world.run('answerAsk', (item?.['command'] as { arguments: unknown[] }).arguments[0]);
    await until(() => done.messages.length === 1, 'the question again');
    onlyMessage().pick('Not Now');
    assert.equal(await reply, null);
    assert.deepEqual([done.status.text, done.badge], ['$(pass) Redline', undefined]);
  });
});

test('withdrawn, or answered twice: nothing is trusted, and it says so', async () => {
  await inWorld(async (world) => {
    const reply = world.server.sendRequest(wire.trust, question());
    await until(() => done.messages.length === 1, 'the question');
    await world.server.sendNotification(wire.permissionWithdrawn, { askId: 'T1', reason: 'the file changed' });
    assert.equal(await reply, null);
    const [shown] = done.messages;
    done.messages = [];
    shown?.pick('Trust');
    await until(() => done.messages.length === 1, 'what became of it');
    assert.match(onlyMessage().text, /too late, nothing was trusted: the file changed/);
  });
});

test('a click within 300 ms trusts nothing', async () => {
  await inWorld(async (world) => {
    world.clock.step = 299;
    const reply = world.server.sendRequest(wire.trust, question());
    await until(() => done.messages.length === 1, 'the question');
    onlyMessage().pick('Trust');
    await until(() => done.messages.length === 2, 'the question again');
    world.clock.step = 300;
    done.messages[1]?.pick('Trust');
    assert.deepEqual(await reply, { trust: true });
  });
});

test('an ask and a question of trust wait side by side, and are chosen from one list', async () => {
  await inWorld(async (world) => {
    const replies = [world.server.sendRequest(wire.permission, ask('A1')), world.server.sendRequest(wire.trust, question())];
    await until(() => done.messages.length === 2, 'both');
    done.messages = [];
    done.answers = ['$(shield) Trust the rules of project?'];
    void world.run('answerAsk');
    await until(() => done.messages.length === 1, 'the question of trust');
    assert.deepEqual(done.asked[0]?.['items'] && (done.asked[0]['items'] as { label: string }[]).map(({ label }) => label), ['$(question) Bash: may it run this?', '$(shield) Trust the rules of project?']);
    world.app.disconnected();
    assert.deepEqual(await Promise.all(replies), [null, null]);
    await world.run('answerAsk');
    assert.match(done.passing.at(-1) ?? '', /nothing asks/);
  });
});

test('several files are named together', () => {
  const files = ['.redline/settings.json', '.mcp.json'];
  assert.match(brief(question({ files })), /settings\.json and \.mcp\.json of “project” have rules of their own/);
  assert.match(brief(question({ files, changed: true })), /changed since you trusted them/);
});

test('the command asks the server again, in a folder that the editor trusts', async () => {
  await inWorld(async (world) => {
    await world.run('trustFolder');
    assert.deepEqual(world.got, [{ method: 'workspace/executeCommand', params: { command: 'redline.trust', arguments: [] } }]);
    workspace.isTrusted = false;
    void world.run('trustFolder');
    await until(() => done.messages.length === 1, 'what is to be done first');
    onlyMessage().pick('Manage Workspace Trust');
    await until(() => done.executed.some(([name]) => name === 'workbench.trust.manage'), 'the editor\'s own page');
    assert.equal(world.got.length, 1);
  });
});

test('what is allowed is listed and taken back, by the bin or by the keys', async () => {
  await inWorld(async (world) => {
    const granted: Granted = {
      session: [{ rule: "allow Bash --cmd 'make'" }],
      saved: [
        { rule: 'allow Read --path /other/x', folder: '/other' },
        { rule: 'allow Bash --cmd make --cwd x', folder: '/ws' },
        { rule: 'allow web_search\u202e', folder: null },
      ],
    };
    world.answers.set('workspace/executeCommand', ({ command, arguments: [rule] }: { command: string; arguments: string[] }) => {
      if (command === 'redline.revoke') granted.saved = granted.saved.filter((grant) => grant.rule !== rule);
      return command === 'redline.grants' ? granted : { revoked: 1 };
    });
    const rows = (pick: QuickPick | undefined): unknown[] => (pick?.items ?? []).map(({ label, description }) => [label, description]);
    await world.run('showGrants');
    const [pick] = done.picks;
    assert.deepEqual(rows(pick), [
      ["allow Bash --cmd 'make'", 'until the server ends'],
      ['allow Bash --cmd make --cwd x', 'in /ws'],
      ['allow web_search\\u{202e}', 'everywhere'],
      ['allow Read --path /other/x', 'in /other'],
    ]);
    assert.deepEqual(pick?.items.map(({ buttons }) => buttons?.length), [1, 1, 1, 0]);
    pick.pressed.fire({ item: pick.items[1], button: pick.items[1]?.buttons?.[0] });
    await until(() => pick.items.length === 3, 'one less');
    const choose = async (at: number, answer: string): Promise<QuickPick | undefined> => {
      const { length } = done.picks;
      const open = done.picks[length - 1];
      done.answers = [answer];
      open?.selectedItems.push(open.items[at]);
      open?.accepted.fire(undefined);
      await until(() => done.picks.length === length + 1, 'the list again');
      assert.equal(open?.shown, false);
      return done.picks[length];
    };
    assert.equal(rows(await choose(1, '$(arrow-left) Keep It')).length, 3);
    assert.equal(rows(await choose(1, '$(trash) Revoke')).length, 2);
    assert.deepEqual(granted.saved.map(({ folder }) => folder), ['/other']);
  });
});
