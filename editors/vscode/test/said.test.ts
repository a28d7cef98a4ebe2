import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { Asks, answerFor, brief, title, what, whole, why } from '../src/asks';
import { findServer, type Surroundings } from '../src/bootstrap';
import { outcome } from '../src/decide';
import { finalText } from '../src/edit';
import { summary } from '../src/prompt';
import type { ThreadEvent } from '../src/protocol';
import { sentence } from '../src/rewind';
import { say } from '../src/status';
import { Outline, diagram, toolLine } from '../src/transcript';
import { Turns } from '../src/turns';
import { plain } from '../src/words';
import { ask, hunk } from './samples';

test('an ask shows the whole command, the folder, the rule and what each option covers', () => {
  const one = ask('A1', { args: { cmd: 'rm -r a\nrm -r b' }, pending: ['x.rs'], unsaved: ['y.rs'] });
  for (const part of ['rm -r a\nrm -r b', 'In /ws', 'ask Bash (built-in:39)', 'x.rs', 'y.rs', "allow Bash --cmd 'cargo test'"]) {
    assert.ok(whole(one).includes(part), part);
  }
  assert.match(brief(one), /“rm -r a” \(More… shows all of it\)/);
  assert.equal(what(ask('A', { args: { path: '/x', n: 2 } })), 'path: /x\nn: 2');
});

test('what cannot be seen in a command, or turns it around, is spelled out', () => {
  const one = ask('A1', { args: { cmd: 'ls \u202ealpha\u200b\r\u0007\tbeta\n💾 é\u{e0041}' } });
  assert.equal(what(one), 'ls \\u{202e}alpha\\u{200b}\\u{d}\\u{7}\tbeta\n💾 é\\u{e0041}');
});

test('the title is not the command once more', () => {
  assert.equal(title(ask('A')), 'Bash: may it run this?');
  assert.equal(title(ask('A', { title: 'Edit outside\n of the workspace' })), 'Edit outside of the workspace');
});

test('a reason without a text is the rule and its place', () => {
  const reason = { action: 'ask', rule: null, source: '/u/settings.json', line: 3, text: '' } as const;
  assert.equal(why(ask('A', { reason })), 'Asks: no rule matched (/u/settings.json:3)');
});

test('an answer carries the rule that was shown', () => {
  assert.deepEqual(answerFor({ id: 'session', label: 's', covers: 'allow X' }), { option: 'session', rule: 'allow X' });
  assert.deepEqual(answerFor({ id: 'reject', label: 'r' }, 'use make'), { option: 'reject', comment: 'use make' });
  assert.deepEqual(answerFor({ id: 'reject', label: 'r' }, ''), { option: 'reject' });
});

test('an ask about what is not on disk says so, and each answer is one of its options', () => {
  const options = [
    { id: 'acceptAndRun', label: 'Accept, save and run' },
    { id: 'saveAndRun', label: 'Save and run' },
    { id: 'runWithout', label: 'Run without these changes' },
    { id: 'reject', label: 'Reject' },
  ] as const;
  const one = ask('A1', { args: { cmd: 'make' }, pending: ['x.rs'], unsaved: ['x.rs', 'y.rs'], options: [...options] });
  assert.match(brief(one), /“make” Not on disk: x\.rs, y\.rs\. — /);
  assert.match(whole(one), /Proposals that are not on disk: x\.rs/);
  assert.match(whole(one), /Your text that is not on disk: x\.rs, y\.rs/);
  for (const option of options) assert.deepEqual(answerFor(option), { option: option.id });
});

test('an ask of a tool that runs several commands shows them', () => {
  const commands = [
    { kind: 'lint', cmd: 'npm run lint', cwd: '/ws' },
    { kind: 'test', cmd: 'npm test', cwd: '/ws' },
  ];
  assert.equal(what(ask('A', { tool: 'Check', args: { kinds: ['lint'], commands } })), 'npm run lint\nnpm test');
  assert.equal(what(ask('A', { args: { commands: ['x'] } })), 'commands: ["x"]');
});

test('an ask ends once', async () => {
  const asks = new Asks();
  const first = asks.add(ask('A1'));
  const second = asks.add(ask('A2'));
  assert.equal(asks.answer('A1', { option: 'once' }), true);
  assert.equal(asks.answer('A1', { option: 'reject' }), false);
  assert.equal(asks.withdraw('A1', 'too late'), false);
  assert.equal(asks.withdraw('A2', 'the turn was stopped'), true);
  assert.equal(asks.answer('A2', { option: 'once' }), false);
  assert.equal(asks.why('A2'), 'the turn was stopped');
  assert.deepEqual([await first, await second], [{ option: 'once' }, null]);
  assert.deepEqual(asks.all(), []);
});

test('a server that ends leaves no ask', async () => {
  const asks = new Asks();
  const answers = [asks.add(ask('A1')), asks.add(ask('A2'))];
  asks.clear();
  assert.deepEqual(await Promise.all(answers), [null, null]);
});

test('the server is looked for in order, and a wrong path is not passed over', () => {
  const around = (more: Partial<Surroundings>, ...files: string[]): Surroundings => ({
    setting: '', env: { PATH: `/a${path.delimiter}/b` }, extension: '/ext', windows: false, exists: (file) => files.includes(file), ...more,
  });
  const all = ['/set', '/env', '/ext/bin/redline', '/b/redline'];
  const env = { REDLINE_SERVER: '/env', PATH: `/a${path.delimiter}/b` };
  assert.deepEqual(findServer(around({ setting: '/set', env }, ...all)), { command: '/set' });
  assert.deepEqual(findServer(around({ env }, ...all)), { command: '/env' });
  assert.deepEqual(findServer(around({}, ...all)), { command: '/ext/bin/redline' });
  assert.deepEqual(findServer(around({}, '/b/redline')), { command: '/b/redline' });
  assert.deepEqual(findServer(around({ windows: true, extension: '/e' }, '/e/bin/redline.exe')), { command: '/e/bin/redline.exe' });
  assert.match(JSON.stringify(findServer(around({ setting: '/gone', env }, ...all))), /\/gone.*redline\.server\.path/);
  assert.ok('missing' in findServer(around({})));
});

test('what is said of a decision', () => {
  const none = { resolved: [], stale: [], failed: [], mixed: [] };
  assert.deepEqual(outcome({ ...none, resolved: ['a'] }, 'accept'), []);
  const said = outcome({ ...none, stale: ['a', 'b'], failed: [{ hunk: 'c', reason: 'the file is gone' }], mixed: ['d'] }, 'accept');
  assert.deepEqual(said.map(({ text }) => text), [
    'not done: the file is gone',
    '2 changes changed meanwhile: look again, nothing was decided there',
    'what you typed inside the change was kept',
  ]);
  assert.match(outcome({ ...none, stale: ['a'] }, 'reopen')[0]?.text ?? '', /cannot be reopened/);
});

test('what is said of a way back', () => {
  const name = (uri: string): string => uri.slice('file:///ws/'.length);
  const one = { files: ['file:///ws/a', 'file:///ws/b'], withdrawn: 1, kept: [] };
  assert.equal(sentence(3, one, name), 'went back to before turn 3: 2 files changed, 1 proposal withdrawn');
  const kept = [{ uri: 'file:///ws/c', reason: 'no' }];
  assert.equal(sentence(1, { files: ['file:///ws/a'], withdrawn: 0, kept }, name), 'went back to before turn 1: 1 file changed; c: no');
  assert.equal(sentence(1, { files: [], withdrawn: 0, kept }, name), 'nothing went back to before turn 1; c: no');
  assert.equal(sentence(1, { files: [], withdrawn: 0, kept: [] }, name), 'all is as it was before turn 1 already');
});

test('edited text gets the line ends of the hunk', () => {
  const of = (now: string, typed: string, old = 'x\n') => finalText(typed, hunk('a', 0, old, now));
  assert.equal(of('a\nb\n', 'a\nc'), 'a\nc\n');
  assert.equal(of('a\r\nb\r\n', 'a\nc'), 'a\r\nc\r\n');
  assert.equal(of('a', 'b'), 'b');
  assert.equal(of('a\n', ''), '');
  assert.equal(of('\n', ''), '\n');
  assert.equal(of('', 'put\nback', 'x\r\n'), 'put\r\nback\r\n');
  assert.equal(of('a\n', 'a\n'), 'a\n');
});

test('the status bar says the most pressing thing', () => {
  const doing = { what: 'Bash cargo test', ms: 3200 };
  assert.match(say(true, doing, 3, 2, 1).text, /Redline asks$/);
  assert.equal(say(true, doing, 3, 2, 2).command, 'redline.answerAsk');
  assert.equal(say(true, doing, 3, 2, 0).text, '$(sync~spin) Redline: Bash cargo test 3 s · 3 to review');
  assert.deepEqual([say(true, undefined, 3, 2, 0).text, say(true, undefined, 3, 2, 0).warns], ['$(diff) Redline: 3 to review', false]);
  assert.deepEqual([say(true, undefined, 0, 0, 0).command, say(false, undefined, 0, 0, 0).command], ['redline.prompt', 'redline.restart']);
});

test('turns: what runs, and a turn that ended before its prompt was answered', () => {
  let now = 0;
  const turns = new Turns(undefined, () => now);
  const event = (turnId: string, body: ThreadEvent['event']): ThreadEvent => ({ threadId: 'T', turnId, seq: 1, event: body });
  const tool = (status: string) => ({ type: 'toolCall', toolCallId: 'c', name: 'Bash', args: {}, status, title: 'Bash ls' }) as const;
  turns.started('T', 't1');
  now = 100;
  turns.event(event('t1', tool('in-progress')));
  now = 400;
  turns.event(event('t1', tool('in-progress')));
  assert.deepEqual(turns.doing(), { what: 'Bash ls', ms: 300 });
  turns.event(event('t1', tool('done')));
  assert.equal(turns.doing()?.what, 'thinking');
  assert.equal(turns.event(event('t1', { type: 'turnEnd', reason: 'done' }))?.reason, 'done');
  assert.equal(turns.doing(), undefined);
  turns.event(event('t1', { type: 'text', delta: 'late' }));
  assert.equal(turns.doing(), undefined);
  turns.event(event('t2', { type: 'turnEnd', reason: 'done' }));
  turns.started('T', 't2');
  assert.deepEqual([turns.doing(), turns.current], [undefined, 'T']);
});

test('the end of a turn in words', () => {
  assert.equal(summary({ type: 'turnEnd', reason: 'awaitingReview' }, { hunks: 3, files: 1 }), '3 changes to review in 1 file');
  assert.equal(summary({ type: 'turnEnd', reason: 'error', message: 'no key' }, { hunks: 1, files: 1 }), 'failed: no key');
  assert.equal(summary({ type: 'turnEnd', reason: 'done' }, { hunks: 0, files: 0 }), 'done, nothing to review');
  const call = { type: 'toolCall', toolCallId: 'c', name: 'Read', args: {}, status: 'done', title: 'Read /ws/a.rs', elapsedMs: 120 } as const;
  assert.equal(toolLine(call, ['/ws']), '- done: Read a.rs (0.1 s)');
});

test('calls of subagents are indented below the call that sent them', () => {
  const outline = new Outline();
  const said: string[] = [];
  const tell = (event: ThreadEvent['event'], parent?: string) => {
    const told = { threadId: 'T', turnId: 't', seq: 1, event, ...(parent === undefined ? {} : { parentToolUseId: parent }) };
    said.push(...outline.lines(told, ['/ws']));
  };
  const call = (id: string, status: string, title: string) =>
    ({ type: 'toolCall', toolCallId: id, name: 'x', args: {}, status, title, elapsedMs: 1000 }) as const;
  tell(call('c1', 'in-progress', 'Task one'));
  tell(call('c2', 'in-progress', 'Task two'));
  tell(call('r', 'in-progress', 'Read /ws/a'), 'c1');
  tell(call('r', 'done', 'Read /ws/a'), 'c1');
  tell({ type: 'text', delta: 'hm' }, 'c1');
  tell(call('g', 'error', 'Grep b'), 'c1');
  tell(call('r', 'blocked-on-user', 'Bash ls'), 'c2');
  tell(call('r', 'rejected-by-user', 'Bash ls'), 'c2');
  tell(call('c2', 'done', 'Task two'));
  tell(call('e', 'cancelled', 'edit_file d'), 'c1');
  tell({ type: 'text', delta: 'So' });
  tell(call('s', 'done', 'Read s'), 'c1');
  tell(call('c1', 'cancelled', 'Task one'));
  tell(call('o', 'done', 'Read o'), 'gone');
  assert.deepEqual(said, [
    '- in-progress: Task one',
    '  - done: Read a (1.0 s)',
    '  - error: Grep b (1.0 s)',
    '- in-progress: Task two',
    '  - rejected-by-user: Bash ls (1.0 s)',
    '- done: Task two (1.0 s)',
    '- in-progress: Task one',
    '  - cancelled: edit_file d (1.0 s)',
    '- in-progress: Task one',
    '  - done: Read s (1.0 s)',
    '- cancelled: Task one (1.0 s)',
    '  - done: Read o (1.0 s)',
  ]);
});

test('a command is no link and no icon where it is quoted', () => {
  assert.equal(plain('echo [ok](command:redline.acceptAll) $(check)'), 'echo [ok] (command:redline.acceptAll) $ (check)');
});

test('a diagram that was shown stands below its line', () => {
  const call = (more: object) => ({
    type: 'toolCall' as const,
    toolCallId: 'C',
    name: 'mermaid',
    status: 'done',
    title: 'mermaid',
    args: { code: 'graph TD\n  A --> B\n' },
    ...more,
  });
  assert.equal(diagram(call({})), '\n\n```mermaid\ngraph TD\n  A --> B\n```\n');
  assert.equal(diagram(call({ args: { code: 'graph TD\n  A["```"]' } })), '\n\n````mermaid\ngraph TD\n  A["```"]\n````\n');
  for (const none of [{ status: 'error' }, { name: 'Read' }, { args: {} }, { args: { code: 5 } }]) {
    assert.equal(diagram(call(none)), '');
  }
});
