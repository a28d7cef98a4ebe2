// The heart of it: a prompt, hunks, decisions; buffer, disk and the agent's next message are as they should be.
import { strict as assert } from 'node:assert';
import { scenario } from '../lib/scenario.ts';
import { edit, say } from '../lib/script.ts';
import { equals, eventually, settles } from '../lib/wait.ts';

const text = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\ntwelve\n';
const files = { 'a.txt': text };

const three = [
  [say('Three changes.'), edit('e1', 'a.txt', 'two', 'TWO'), edit('e2', 'a.txt', 'six', 'SIX'), edit('e3', 'a.txt', 'ten', 'TEN')],
  [say('Proposed.')],
  [say('I see.')],
];

scenario(
  'prompt; accept one by its lens, one by the icon of its thread, reject one with a comment in the reply box',
  { files, turns: three, open: 'a.txt' },
  async (redline) => {
    const { ui } = redline;
    await redline.prompt('change it');
    await redline.pending('a.txt', 3);
    await equals('threads', () => ui.threads.count(), 3);
    await redline.buffer('a.txt', text);
    await redline.disk('a.txt', text);
    await ui.thread('TWO').waitFor();

    await redline.lens('Accept', 1, 3);
    const first = text.replace('two', 'TWO');
    await redline.pending('a.txt', 2);
    await redline.buffer('a.txt', first);
    await redline.disk('a.txt', first);

    await redline.icon(ui.thread('SIX'), 'Accept Change').click();
    const second = first.replace('six', 'SIX');
    await redline.pending('a.txt', 1);
    await redline.buffer('a.txt', second);
    await redline.disk('a.txt', second);
    await ui.waitForEditorFocus();

    await redline.reply(ui.thread('TEN'), 'not so loud, please');
    await redline.pending('a.txt', 0);
    await equals('threads', () => ui.threads.count(), 0);
    await ui.waitForEditorFocus();
    await redline.buffer('a.txt', second);
    await redline.disk('a.txt', second);
    assert.equal(await redline.probe.dirty(redline.sandbox.path('a.txt')), false);

    await redline.tells('go on', /accepted .*a\.txt:2/, /accepted .*a\.txt:6/, /rejected .*a\.txt:10.*not so loud, please/);
  },
);

scenario('reject by the lens and by the icon: nothing changes, and the agent is told', { files, turns: three, open: 'a.txt' }, async (redline) => {
  const { ui } = redline;
  await redline.prompt('change it');
  await redline.pending('a.txt', 3);
  await redline.lens('Reject', 1, 3);
  await redline.pending('a.txt', 2);
  await redline.icon(ui.thread('SIX'), 'Reject Change').click();
  await redline.pending('a.txt', 1);
  await redline.buffer('a.txt', text);
  await redline.disk('a.txt', text);
  await redline.tells('go on', /rejected .*a\.txt:2/, /rejected .*a\.txt:6/, 'still pending: 1');
});

scenario('by keys alone: next, accept, next, reject, reopen', { files, turns: three, open: 'a.txt' }, async (redline) => {
  const { ui, probe } = redline;
  await redline.prompt('change it');
  await redline.pending('a.txt', 3);
  await probe.cursor(0);
  await redline.press('next');
  await equals('the line', async () => (await probe.active())?.line, 1);
  await redline.press('accept');
  await redline.pending('a.txt', 2);
  const first = text.replace('two', 'TWO');
  await redline.buffer('a.txt', first);
  await redline.press('next');
  await equals('the line', async () => (await probe.active())?.line, 5);
  await redline.press('reject');
  await redline.pending('a.txt', 1);
  await redline.buffer('a.txt', first);
  await redline.reopen(5);
  await redline.pending('a.txt', 2);
  await ui.waitForEditorFocus();
  await redline.disk('a.txt', first);
});

scenario('lenses say which of how many', { files, turns: three, open: 'a.txt' }, async (redline) => {
  const { ui } = redline;
  await redline.prompt('change it');
  await redline.pending('a.txt', 3);
  for (const label of ['1 of 3', '2 of 3', '3 of 3']) await ui.lens(label).waitFor();
  await redline.lens('Accept', 2, 3);
  for (const label of ['1 of 2', '2 of 2']) await ui.lens(label).waitFor();
  await equals('accept lenses', () => ui.accept.count(), 2);
});

scenario('the focus, the cursor and the view stay where they are', { files: { 'a.txt': long() }, turns: far(), open: 'a.txt' }, async (redline) => {
  const { ui, probe } = redline;
  await probe.cursor(100, 3);
  await eventually('line 100 in view', async () => ((await probe.active())?.top ?? 0) > 50);
  const before = await probe.active();
  await redline.run('redline.prompt', { text: 'change it' });
  await redline.turns(1);
  await redline.pending('a.txt', 3);
  await settles('the cursor and the view after hunks appeared', () => probe.active(), before);
  assert.equal(await ui.editorHasFocus(), true);
  // The hunks are above: deciding them changes the height of what is above the view.
  await redline.run('redline.acceptFile');
  await redline.pending('a.txt', 0);
  await settles('the cursor and the view after accepting', () => probe.active(), before);
  assert.equal(await ui.editorHasFocus(), true);
});

function long(): string {
  return Array.from({ length: 200 }, (_, line) => `line ${String(line)}\n`).join('');
}

function far(): typeof three {
  const change = (id: string, line: number) => edit(id, 'a.txt', `line ${String(line)}\n`, `LINE ${String(line)}\n`);
  return [[change('e1', 10), change('e2', 20), change('e3', 30)], [say('Proposed.')]];
}
