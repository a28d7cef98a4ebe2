// Files that do not exist yet or are to go, several files, the tree.
import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import type { Redline } from '../lib/redline.ts';
import { scenario } from '../lib/scenario.ts';
import { create, edit, remove, say } from '../lib/script.ts';
import { equals, eventually } from '../lib/wait.ts';
import type { Hunk } from '../lib/wire.ts';

const text = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

const fresh = [[create('c1', 'sub/new.txt', 'fresh\nfile\n')], [say('Proposed.')], [say('I see.')]];

scenario('a new file is shown before it is there; accepting makes it', { files: { 'a.txt': text }, turns: fresh, open: 'a.txt' }, async (redline) => {
  const { ui, sandbox } = redline;
  await redline.prompt('make it');
  await redline.pending('sub/new.txt', 1);
  assert.equal(existsSync(sandbox.path('sub')), false);
  await redline.press('next');
  await redline.shows('fresh');
  await ui.lens(/Accept New File/).click();
  await redline.disk('sub/new.txt', 'fresh\nfile\n');
  await eventually('the file itself is shown', async () => (await redline.active()).uri.endsWith('/sub/new.txt') && (await redline.active()).uri.startsWith('file:'));
  await equals('its tabs', async () => (await redline.probe.tabs()).filter((tab) => tab.includes('new.txt')), ['new.txt']);
  await redline.tells('go on', /accepted .*new\.txt/);
});

scenario('a new file that is rejected leaves nothing', { files: { 'a.txt': text }, turns: fresh, open: 'a.txt' }, async (redline) => {
  const { ui, sandbox, probe } = redline;
  await redline.prompt('make it');
  await redline.pending('sub/new.txt', 1);
  await redline.press('next');
  await redline.shows('fresh');
  await ui.type('x');
  await equals('what it shows', () => probe.activeText(), 'fresh\nfile\n');
  await redline.press('reject');
  await redline.pending('sub/new.txt', 0);
  assert.equal(existsSync(sandbox.path('sub')), false);
  await eventually('its tab to close', async () => !(await probe.tabs()).some((tab) => tab.includes('new.txt')));
  await redline.tells('go on', /rejected .*new\.txt/);
});

const gone = [[remove('d1', 'b.txt')], [say('Proposed.')], [say('I see.')]];

scenario('a file that goes is red until it is accepted, and comes back when that is taken back', { files: { 'a.txt': text, 'b.txt': text }, turns: gone, open: 'a.txt' }, async (redline) => {
  const { ui, sandbox } = redline;
  await redline.prompt('tidy up');
  await redline.pending('b.txt', 1);
  await ui.openView();
  await eventually('the entry', async () => (await ui.row('b.txt').innerText()).includes('deleted'));
  await redline.press('next');
  await equals('the place', async () => { const { uri, line } = await redline.active(); return [uri.slice(-5), line]; }, ['b.txt', 0]);
  await ui.thread('Deletes this file.').waitFor();
  assert.equal(existsSync(sandbox.path('b.txt')), true);
  await ui.lens(/Delete File/).click();
  await eventually('the file to go', () => !existsSync(sandbox.path('b.txt')));
  await redline.pending('b.txt', 0);
  await redline.buffer('b.txt', text);
  await redline.run('redline.reopen');
  await redline.disk('b.txt', text);
  await redline.pending('b.txt', 1);
  await redline.press('reject');
  await redline.pending('b.txt', 0);
  await redline.tells('go on', /rejected the deletion of b\.txt/);
});

const two = [
  [edit('e1', 'a.txt', 'two', 'TWO'), edit('e2', 'a.txt', 'seven', 'SEVEN'), edit('e3', 'b.txt', 'three', 'THREE')],
  [say('Proposed.')],
  [say('I see.')],
];

scenario('next and previous go through all files, in a ring', { files: { 'a.txt': text, 'b.txt': text }, turns: two, open: 'a.txt' }, async (redline) => {
  const { ui } = redline;
  await redline.prompt('change it');
  await redline.pending('b.txt', 1);
  const place = async (): Promise<string> => {
    const { uri, line } = await redline.active();
    return `${uri.slice(-5)}:${String(line)}`;
  };
  const steps: [() => Promise<void>, string][] = [
    [() => redline.press('next'), 'a.txt:1'], [() => redline.press('next'), 'a.txt:6'], [() => redline.press('next'), 'b.txt:2'], [() => redline.press('next'), 'a.txt:1'],
    [() => redline.press('previous'), 'b.txt:2'], [() => redline.press('previous'), 'a.txt:6'],
  ];
  for (const [step, expected] of steps) {
    await step();
    await equals('the place', place, expected);
    await ui.waitForEditorFocus();
  }
});

scenario('the tree: a badge, files with hunks; accept and reject a file, open a hunk', { files: { 'a.txt': text, 'b.txt': text }, turns: two, open: 'a.txt' }, async (redline) => {
  const { ui } = redline;
  await redline.prompt('change it');
  await redline.pending('b.txt', 1);
  await eventually('the badge', async () => (await ui.badge.innerText()) === '3');
  await ui.openView();
  await ui.row('b.txt').waitFor();
  await ui.rowAction(ui.row('a.txt'), 'Accept All Changes in File');
  await redline.pending('a.txt', 0);
  await redline.disk('a.txt', text.replace('two', 'TWO').replace('seven', 'SEVEN'));
  await eventually('the badge', async () => (await ui.badge.innerText()) === '1');
  // A row that is drawn anew under the pointer takes no click.
  await eventually('the place', async () => {
    await ui.row(/THREE|three/).click({ timeout: 3000 });
    const place = async (): Promise<[string, number]> => { const { uri, line } = await redline.active(); return [uri.slice(-5), line]; };
    return equals('the place', place, ['b.txt', 2], 3000).then(() => true);
  });
  await ui.rowAction(ui.row('b.txt'), 'Reject All Changes in File');
  await redline.pending('b.txt', 0);
  await redline.disk('b.txt', text);
  await redline.tells('go on', /accepted .*a\.txt/, /rejected .*b\.txt/);
});

scenario('accept all and reject all', { files: { 'a.txt': text, 'b.txt': text }, turns: [...two.slice(0, 2), [edit('e4', 'b.txt', 'six', 'SIX')], [say('One more.')]], open: 'a.txt' }, async (redline) => {
  await redline.prompt('change it');
  await redline.pending('b.txt', 1);
  await redline.run('redline.acceptAll');
  await redline.pending('a.txt', 0);
  await redline.pending('b.txt', 0);
  await redline.disk('a.txt', text.replace('two', 'TWO').replace('seven', 'SEVEN'));
  await redline.disk('b.txt', text.replace('three', 'THREE'));
  await redline.prompt('more');
  await redline.pending('b.txt', 1);
  await redline.run('redline.rejectAll');
  await redline.pending('b.txt', 0);
  await redline.disk('b.txt', text.replace('three', 'THREE'));
});

const other = text.replace('two', 'other');

/** The thread stands under the last line of the hunk that is in conflict, as the server sees it. */
async function conflict(redline: Redline): Promise<void> {
  const conflicts = (): readonly Hunk[] => redline.hunks('a.txt', 'conflict');
  await eventually('a conflict', () => conflicts().length === 1, { now: () => redline.wire.review(redline.uri('a.txt')) });
  await redline.ui.lensesWith('Conflict').waitFor();
  const line = (conflicts()[0]?.range.end.line ?? 0) - 1;
  await equals('the line above the thread', async () => (await redline.ui.threadsUnder())[0], other.split('\n')[line]);
  await redline.lens('Reject', 1, 2);
  await eventually('no conflict', () => conflicts().length === 0);
  await redline.buffer('a.txt', other);
}

scenario('conflict: the file changed under a proposal, and it can only be rejected', { files: { 'a.txt': text, 'b.txt': text }, turns: two, open: 'b.txt' }, async (redline) => {
  await redline.prompt('change it');
  await redline.pending('a.txt', 2);
  // Another program takes away what the agent saw.
  redline.sandbox.write('a.txt', other);
  await redline.open('a.txt');
  await conflict(redline);
});

scenario('conflict in an open file, which the editor reads anew', { files: { 'a.txt': text, 'b.txt': text }, turns: two, open: 'a.txt' }, async (redline) => {
  await redline.prompt('change it');
  await redline.pending('a.txt', 2);
  redline.sandbox.write('a.txt', other);
  await conflict(redline);
});
