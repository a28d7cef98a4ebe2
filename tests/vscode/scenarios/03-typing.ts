// The user types while hunks wait: nothing is lost, hunks follow, mixed ones are called so.
import { strict as assert } from 'node:assert';
import { scenario } from '../lib/scenario.ts';
import { edit, say } from '../lib/script.ts';
import { equals, eventually } from '../lib/wait.ts';

const text = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';
const files = { 'a.txt': text };

scenario('typing above and beside hunks moves them along', {
  files,
  turns: [[edit('e1', 'a.txt', 'two', 'TWO'), edit('e2', 'a.txt', 'six\nseven', 'SIX\nSEVEN')], [say('Proposed.')]],
  open: 'a.txt',
}, async (redline) => {
  const { ui, probe } = redline;
  await redline.prompt('change it');
  await redline.pending('a.txt', 2);
  await ui.waitForEditorFocus();
  await probe.cursor(0);
  await ui.type('above');
  await ui.keys('Enter');
  await redline.buffer('a.txt', `above\n${text}`);
  await equals('the lines of the hunks', () => redline.hunks('a.txt').map((hunk) => hunk.range.start.line), [2, 6]);
  await equals('where the threads are', () => ui.threadsUnder(), ['two', 'seven']);
  // Between the two old lines of the second hunk.
  await probe.cursor(6, 3);
  await ui.keys('Enter');
  await ui.type('mine');
  const typed = 'above\none\ntwo\nthree\nfour\nfive\nsix\nmine\nseven\neight\n';
  await redline.buffer('a.txt', typed);
  await redline.pending('a.txt', 2);
  await redline.lens('Accept', 1, 2);
  await redline.pending('a.txt', 1);
  await redline.buffer('a.txt', typed.replace('two', 'TWO'));
  await redline.lens('Reject', 1, 1);
  await redline.pending('a.txt', 0);
  await redline.buffer('a.txt', typed.replace('two', 'TWO'));
});

scenario('typing inside a hunk: it says so, and accepting keeps what was typed', {
  files,
  turns: [[edit('e1', 'a.txt', 'two\nthree\n', 'zwei\ndrei\n')], [say('Proposed.')]],
  open: 'a.txt',
}, async (redline) => {
  const { ui, probe } = redline;
  await redline.prompt('change it');
  await redline.pending('a.txt', 1);
  await ui.waitForEditorFocus();
  await probe.cursor(1, 3);
  await ui.keys('Enter');
  await ui.type('mine');
  await eventually('mixed', () => redline.hunks('a.txt')[0]?.mixed === true);
  await ui.thread('contains your typing').waitFor();
  await redline.lens('Accept', 1, 1);
  await redline.pending('a.txt', 0);
  const after = await redline.text('a.txt');
  assert.ok(after.includes('mine') && after.includes('zwei') && after.includes('drei'), after);
  assert.ok(!after.includes('two') && !after.includes('three'), after);
});

scenario('fast typing in the middle of many hunks loses no key', {
  files: { 'a.txt': many() },
  turns: [[0, 10, 20, 30].map((line) => edit(`e${String(line)}`, 'a.txt', `line ${String(line)}\n`, `LINE ${String(line)}\n`)), [say('Proposed.')]],
  open: 'a.txt',
}, async (redline) => {
  const { ui, probe } = redline;
  await redline.prompt('change it');
  await redline.pending('a.txt', 4);
  await ui.waitForEditorFocus();
  await probe.cursor(15, 0);
  const words = 'the quick brown fox jumps over the lazy dog. '.repeat(4);
  await ui.type(words);
  await redline.buffer('a.txt', many().replace('line 15\n', `${words}line 15\n`));
  await redline.run('redline.acceptFile');
  await redline.pending('a.txt', 0);
  const expected = many().replace('line 15\n', `${words}line 15\n`).replaceAll(/^line (0|10|20|30)$/gm, 'LINE $1');
  await redline.buffer('a.txt', expected);
});

scenario('typing while an accept is on its way', {
  files: { 'a.txt': many() },
  turns: [[edit('e1', 'a.txt', 'line 3\n', 'LINE 3\n')], [say('Proposed.')]],
  open: 'a.txt',
}, async (redline) => {
  const { ui, probe } = redline;
  await redline.prompt('change it');
  await redline.pending('a.txt', 1);
  await ui.waitForEditorFocus();
  await probe.cursor(10, 0);
  await Promise.all([probe.command('redline.acceptFile'), ui.type('typed at the same time ')]);
  // Somebody who types faster than the edit can be applied, three times in a row, is told so.
  if (redline.hunks('a.txt').length > 0) {
    await ui.notification('not done').waitFor();
    await redline.run('redline.acceptFile');
  }
  await redline.pending('a.txt', 0);
  await redline.buffer('a.txt', many().replace('line 3\n', 'LINE 3\n').replace('line 10\n', 'typed at the same time line 10\n'));
});

scenario('autosave on: what is typed is saved, what is proposed is not', {
  files,
  settings: { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 100 },
  turns: [[edit('e1', 'a.txt', 'two', 'TWO'), edit('e2', 'a.txt', 'six', 'SIX')], [say('Proposed.')]],
  open: 'a.txt',
}, async (redline) => {
  const { ui, probe } = redline;
  await redline.prompt('change it');
  await redline.pending('a.txt', 2);
  await ui.waitForEditorFocus();
  await probe.cursor(3, 0);
  await ui.type('mine ');
  await redline.disk('a.txt', text.replace('four', 'mine four'));
  await redline.pending('a.txt', 2);
  await redline.lens('Accept', 1, 2);
  const accepted = text.replace('four', 'mine four').replace('two', 'TWO');
  await redline.disk('a.txt', accepted);
  await redline.pending('a.txt', 1);
  await probe.cursor(7, 0);
  await ui.type('and ');
  await redline.disk('a.txt', accepted.replace('eight', 'and eight'));
  await redline.pending('a.txt', 1);
  await redline.lens('Reject', 1, 1);
  await redline.pending('a.txt', 0);
  await redline.disk('a.txt', accepted.replace('eight', 'and eight'));
});

scenario('edit before accept: what was changed in the proposal is what is accepted', {
  files,
  turns: [[edit('e1', 'a.txt', 'two', 'TWO')], [say('Proposed.')], [say('I see.')]],
  open: 'a.txt',
}, async (redline) => {
  const { ui } = redline;
  await redline.prompt('change it');
  await redline.pending('a.txt', 1);
  await redline.editProposal(ui.thread('TWO'), 'TWO!');
  await redline.pending('a.txt', 0);
  await redline.buffer('a.txt', text.replace('two', 'TWO!'));
  await redline.disk('a.txt', text.replace('two', 'TWO!'));
  await ui.waitForEditorFocus();
  await redline.tells('go on', 'accepted with changes', 'TWO!');
});

function many(): string {
  return Array.from({ length: 40 }, (_, line) => `line ${String(line)}\n`).join('');
}
