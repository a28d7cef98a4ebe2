/** Asks: notification, dialog, the rule that is edited, and what comes too soon or too late. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as wire from '../src/protocol';
import { done, type Message } from './fake-vscode';
import { ask, random, shuffled } from './samples';
import { inWorld, onlyMessage, until, type World } from './world';

test('asks: answered or withdrawn, whichever is first, and never both', async () => {
  for (let seed = 0; seed < 60; seed += 1) {
    await inWorld(async (world) => {
      const below = random(seed);
      const names = ['A1', 'A2', 'A3'];
      const replies = new Map(names.map((id) => [id, world.server.sendRequest(wire.permission, ask(id, { args: { cmd: `run ${id}` } }))]));
      await until(() => done.messages.length === 3, 'three asks on the screen');
      assert.equal(done.contexts.get('redline.hasAsks'), true);
      assert.equal(done.badge?.value, 3);
      const shown = new Map(names.map((id) => [id, done.messages.find(({ text }) => text.includes(`run ${id}`))]));
      for (const id of shuffled(names, below)) {
        const isAnsweredFirst = below(2) === 0;
        const withdraw = () => world.server.sendNotification(wire.permissionWithdrawn, { askId: id, reason: 'the turn was stopped' });
        if (isAnsweredFirst) shown.get(id)?.pick('Allow once');
        else await withdraw();
        await world.settled();
        if (isAnsweredFirst) await withdraw();
        else shown.get(id)?.pick('Allow once');
        assert.deepEqual(await replies.get(id), isAnsweredFirst ? { option: 'once' } : null, `seed ${String(seed)}`);
        await world.settled();
        const late = done.messages.filter(({ text }) => text.includes('too late'));
        assert.equal(late.length, isAnsweredFirst ? 0 : 1);
        done.messages = done.messages.filter((message) => !late.includes(message));
      }
      assert.deepEqual([done.badge, done.contexts.get('redline.hasAsks')], [undefined, false]);
    });
  }
});

test('an ask that is closed goes on waiting; More shows all of it and its first button does nothing', async () => {
  await inWorld(async (world) => {
    const reply = world.server.sendRequest(wire.permission, ask('A1'));
    await until(() => done.messages.length === 1, 'the ask');
    assert.deepEqual(onlyMessage().items, ['Allow once', 'Reject', 'More…']);
    assert.equal(onlyMessage().modal, false);
    onlyMessage().pick(undefined);
    await world.settled();
    assert.equal(world.app.asks.all().length, 1);
    done.messages = [];
    void world.run('answerAsk');
    await until(() => done.messages.length === 1, 'the dialog');
    const dialog = onlyMessage();
    assert.equal(dialog.modal, true);
    assert.match(dialog.detail, /cargo test[\s\S]*In \/ws[\s\S]*built-in:39[\s\S]*allow Bash/);
    assert.deepEqual(dialog.items, ['Decide Later', 'Allow once', 'Always Allow…', 'Reject', 'Reject and Say Why…']);
    dialog.pick('Decide Later');
    await world.settled();
    assert.equal(world.app.asks.all().length, 1);
    done.messages = [];
    void world.run('answerAsk');
    await until(() => done.messages.length === 1, 'the dialog again');
    done.answers.push('use make');
    onlyMessage().pick('Reject and Say Why…');
    assert.deepEqual(await reply, { option: 'reject', comment: 'use make' });
  });
});

test('the buttons in the tree answer too, and say so when they are late', async () => {
  await inWorld(async (world) => {
    const replies = ['A1', 'A2'].map((id) => world.server.sendRequest(wire.permission, ask(id)));
    await until(() => done.messages.length === 2, 'two asks');
    done.messages = [];
    await world.run('allowOnce', { kind: 'ask', askId: 'A1' });
    await world.run('rejectAsk', { kind: 'ask', askId: 'A2' });
    assert.deepEqual(await Promise.all(replies), [{ option: 'once' }, { option: 'reject' }]);
    await world.run('allowOnce', { kind: 'ask', askId: 'A2' });
    assert.match(onlyMessage().text, /too late.*answered already/);
  });
});

test('a long command is cut in the dialog and whole in a text', async () => {
  await inWorld(async (world) => {
    const cmd = Array.from({ length: 80 }, (_, i) => `echo ${String(i)}`).join('\n');
    const reply = world.server.sendRequest(wire.permission, ask('A1', { args: { cmd } }));
    await until(() => done.messages.length === 1, 'the ask');
    onlyMessage().pick('More…');
    await until(() => done.messages.length === 2, 'the dialog');
    assert.ok(done.messages[1]?.items.includes('Open as Text'));
    const cut = done.messages[1]?.detail ?? '';
    assert.ok(cut.length < cmd.length);
    // Whatever the call is, where it runs, why it asks and what would be added are in sight.
    assert.match(cut, /^echo 0\n[\s\S]*echo 7\n…\n\nIn \/ws\n\nAsks because[\s\S]*allow Bash --cmd 'cargo test'$/);
    done.messages[1]?.pick('Reject');
    assert.deepEqual(await reply, { option: 'reject' });
  });
});

const RULE = "allow Bash --cmd 'cargo test'";
const every = (covers = RULE): wire.AskOption[] => [
  { id: 'once', label: 'Allow once' },
  { id: 'session', label: 'Allow for the session', covers },
  { id: 'folder', label: 'Always in this folder', covers },
  { id: 'always', label: 'Always everywhere', covers },
  { id: 'reject', label: 'Reject' },
];

/** Puts an ask and opens its dialog. */
async function opened(world: World, more: Partial<wire.Ask> = {}): Promise<{ reply: Promise<unknown>; dialog: Message }> {
  const reply = world.server.sendRequest(wire.permission, ask('A1', { options: every(), ...more }));
  await until(() => done.messages.length === 1, 'the ask');
  onlyMessage().pick('More…');
  return { reply, dialog: await next(world, 'the dialog', 2) };
}

/** The newest message, once there are so many. */
async function next(world: World, what: string, count: number): Promise<Message> {
  await until(() => done.messages.length >= count, what);
  await world.settled();
  return done.messages.at(-1) as Message;
}

const labels = (put: Record<string, unknown> | undefined): string[] =>
  (put?.['items'] as { label: string }[]).map(({ label }) => label);

test('each lasting choice shows its rule, and answers with the rule as it was edited', async () => {
  for (const [id, label] of [['session', '$(watch) Allow for the session…'], ['folder', '$(folder) Always in this folder…'], ['always', '$(globe) Always everywhere…']]) {
    await inWorld(async (world) => {
      const { reply, dialog } = await opened(world);
      assert.match(dialog.detail, /“Allow for the session”, “Always in this folder” and “Always everywhere” each add this.*\n {4}allow Bash --cmd 'cargo test'/);
      done.answers = [label, ({ value }: { value: string }) => `${value} --cmd 'cargo check'`];
      dialog.pick('Always Allow…');
      assert.deepEqual(await reply, { option: id, rule: `${RULE} --cmd 'cargo check'` });
      const [scope, box] = done.asked;
      assert.deepEqual(labels(scope), ['$(arrow-left) Back', '$(watch) Allow for the session…', '$(folder) Always in this folder…', '$(globe) Always everywhere…']);
      assert.deepEqual((scope?.['items'] as { detail?: string }[]).map(({ detail }) => detail), [undefined, RULE, RULE, RULE]);
      assert.equal(box?.['title'], label?.replace(/^\S+ (.*)…$/, '$1'));
      assert.match(String(box?.['prompt']), { session: /until the server ends/, folder: /in this folder, from now on/, always: /in every folder/ }[id ?? ''] ?? /^$/);
    });
  }
});

test('Esc, wherever it is pressed, goes back to the dialog, and nothing is granted', async () => {
  await inWorld(async (world) => {
    const { reply, dialog } = await opened(world);
    let before = dialog;
    for (const [button, answers] of [
      ['Always Allow…', [undefined]],
      ['Always Allow…', ['$(arrow-left) Back']],
      ['Always Allow…', ['$(globe) Always everywhere…', undefined]],
      ['Reject and Say Why…', [undefined]],
    ] as const) {
      const count = done.messages.length;
      done.answers = [...answers];
      before.pick(button);
      before = await next(world, `the dialog after ${button}`, count + 1);
      assert.deepEqual([before.modal, before.text], [true, dialog.text]);
      assert.equal(world.app.asks.all().length, 1);
    }
    before.pick('Reject');
    assert.deepEqual(await reply, { option: 'reject' });
  });
});

test('several rules are edited one after the other, line breaks in them survive', async () => {
  await inWorld(async (world) => {
    const first = "allow Bash --cmd 'echo a\necho b'";
    const { reply, dialog } = await opened(world, { options: every(`${first}\n${RULE}`) });
    const kept = (put: Record<string, unknown>): unknown => put['value'];
    done.answers = ['$(globe) Always everywhere…', kept, kept];
    dialog.pick('Always Allow…');
    assert.deepEqual(await reply, { option: 'always', rule: `${first}\n${RULE}` });
    const boxes = done.asked.slice(1);
    assert.deepEqual(boxes.map(({ title }) => title), ['Always everywhere (rule 1 of 2)', 'Always everywhere (rule 2 of 2)']);
    assert.equal(boxes[0]?.['value'], "allow Bash --cmd 'echo a⏎echo b'");
    assert.match(String(boxes[0]['prompt']), /Esc goes back\. ⏎ is a line break\. The rule: allow/);
    const judge = boxes[0]['validateInput'] as (typed: string) => unknown;
    assert.deepEqual(judge("allow Bash --cmd 'echo a⏎echo b'"), {
      message: "Counts in every folder, from now on. Esc goes back. The rule: allow Bash --cmd 'echo a⏎echo b'",
      severity: 1,
    });
    assert.match(String(judge('reject Bash')), /begins with “allow”/);
  });
});

test('withdrawn while the rule is edited: it is refused, and said', async () => {
  for (const finish of [RULE, undefined]) {
    await inWorld(async (world) => {
      const { reply, dialog } = await opened(world);
      let typed: (rule: string | undefined) => void = () => undefined;
      done.answers = ['$(folder) Always in this folder…', () => new Promise((type) => { typed = type; })];
      dialog.pick('Always Allow…');
      await until(() => done.asked.length === 2, 'the box');
      await world.server.sendNotification(wire.permissionWithdrawn, { askId: 'A1', reason: 'the turn was stopped' });
      assert.equal(await reply, null);
      done.messages = [];
      typed(finish);
      await until(() => done.messages.length === 1, 'what became of it');
      assert.match(onlyMessage().text, /too late, nothing was answered: the turn was stopped/);
    });
  }
});

test('another dialog that the user opens leaves the box before it, which does not come back over it', async () => {
  await inWorld(async (world) => {
    const { reply, dialog } = await opened(world);
    let typed: (rule: string | undefined) => void = () => undefined;
    done.answers = ['$(folder) Always in this folder…', () => new Promise((type) => { typed = type; })];
    dialog.pick('Always Allow…');
    await until(() => done.asked.length === 2, 'the box');
    void world.run('answerAsk', 'A1');
    const again = await next(world, 'the dialog once more', 3);
    typed(undefined);
    await world.settled();
    assert.deepEqual([done.messages.length, again.modal, world.app.asks.all().length], [3, true, 1]);
    again.pick('Allow once');
    assert.deepEqual(await reply, { option: 'once' });
  });
});

test('what is answered within 300 ms is not taken: it is shown again', async () => {
  await inWorld(async (world) => {
    const reply = world.server.sendRequest(wire.permission, ask('A1', { options: every() }));
    await until(() => done.messages.length === 1, 'the ask');
    const late = async (button: string | undefined, what: string): Promise<void> => {
      const count = done.messages.length;
      world.clock.step = 299;
      done.messages.at(-1)?.pick(button);
      await next(world, `${what} again`, count + 1);
      assert.equal(world.app.asks.all().length, 1);
      // What is on the screen now was put at 299 ms; it is answered later.
      world.clock.step = 300;
    };
    await late('Allow once', 'the notification');
    done.messages.at(-1)?.pick('More…');
    await next(world, 'the dialog', 3);
    await late('Allow once', 'the dialog');
    await late('Decide Later', 'the dialog');
    await late(undefined, 'the dialog');
    const { length } = done.asked;
    // The scope, which Enter came to too soon, the scope, and the same with the box.
    const soon = (answer: unknown) => () => { world.clock.step = 10; return answer; };
    const read = (answer: unknown) => () => { world.clock.step = 500; return answer; };
    done.answers = [soon('$(globe) Always everywhere…'), read('$(globe) Always everywhere…'), soon('allow *'), read(RULE)];
    done.messages.at(-1)?.pick('Always Allow…');
    assert.deepEqual(await reply, { option: 'always', rule: RULE });
    assert.equal(done.asked.length - length, 4);
  });
});

test('an ask that has only just come is not answered by the icons of the tree', async () => {
  await inWorld(async (world) => {
    world.clock.step = 100;
    const reply = world.server.sendRequest(wire.permission, ask('A1'));
    await until(() => done.messages.length === 1, 'the ask');
    await world.run('allowOnce', { kind: 'ask', askId: 'A1' });
    assert.equal(world.app.asks.all().length, 1);
    assert.match(done.passing.at(-1) ?? '', /only just come/);
    world.clock.step = 300;
    await world.run('allowOnce', { kind: 'ask', askId: 'A1' });
    assert.deepEqual(await reply, { option: 'once' });
  });
});

test('dialogs that open by themselves come one after the other, and not for what is gone', async () => {
  await inWorld(async (world) => {
    done.settings.set('redline.asks', 'modal');
    const replies = ['A1', 'A2', 'A3'].map((id) => world.server.sendRequest(wire.permission, ask(id)));
    await until(() => world.app.asks.all().length === 3, 'three asks');
    await world.settled();
    assert.deepEqual(done.messages.map(({ modal, text }) => [modal, text]), [[true, 'Bash: may it run this?']]);
    await world.server.sendNotification(wire.permissionWithdrawn, { askId: 'A2', reason: 'the turn was stopped' });
    await world.settled();
    done.messages[0]?.pick('Allow once');
    await next(world, 'the dialog of the third', 2);
    done.messages[1]?.pick('Reject');
    assert.deepEqual(await Promise.all(replies), [{ option: 'once' }, null, { option: 'reject' }]);
    assert.equal(done.messages.length, 2);
  });
});

test('the queue: how many asks wait, of which this is one', async () => {
  await inWorld(async (world) => {
    const ids = ['A1', 'A2', 'A3'];
    for (const [at, id] of ids.entries()) {
      const queue = { index: at + 1, total: at + 1 };
      void world.server.sendRequest(wire.permission, ask(id, { queue })).catch(() => undefined);
    }
    await until(() => done.messages.length === 3, 'three asks');
    assert.match(done.messages[2]?.text ?? '', /^Redline asks \(3 of 3 asks\)\./);
    done.messages = [];
    void world.run('answerAsk', 'A2');
    assert.equal((await next(world, 'the dialog', 1)).text, 'Bash: may it run this? (2 of 3 asks)');
    await world.run('rejectAsk', 'A1');
    onlyMessage().pick('Always Allow…');
    await next(world, 'the dialog again', 2);
    assert.equal(done.messages[1]?.text, 'Bash: may it run this? (1 of 2 asks)');
  });
});

test('asked once more, it says why first', async () => {
  await inWorld(async (world) => {
    const { reply, dialog } = await opened(world, { note: 'The rule was none: line 1, column 7: expected a tool name.' });
    assert.match(done.messages[0]?.text ?? '', /^Redline asks once more: The rule was none: line 1, column 7: expected a tool name\. /);
    assert.match(dialog.detail, /^Asked once more: The rule was none.*tool name\.\n\ncargo test\n/);
    dialog.pick('Reject');
    assert.deepEqual(await reply, { option: 'reject' });
  });
});
