// Undo, redo and reopening.
import { scenario } from '../lib/scenario.ts';
import { edit, say } from '../lib/script.ts';

const text = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';
const files = { 'a.txt': text };
const turns = [[edit('e1', 'a.txt', 'two', 'TWO'), edit('e2', 'a.txt', 'seven', 'SEVEN')], [say('Proposed.')], [say('I see.')]];

scenario('undo of an accept makes it pending again, redo accepts it again', { files, turns, open: 'a.txt' }, async (redline) => {
  const { ui } = redline;
  await redline.prompt('change it');
  await redline.pending('a.txt', 2);
  await redline.lens('Accept', 1, 2);
  const accepted = text.replace('two', 'TWO');
  await redline.buffer('a.txt', accepted);
  await redline.pending('a.txt', 1);
  await ui.waitForEditorFocus();
  await ui.keys('Control+Z');
  await redline.buffer('a.txt', text);
  await redline.pending('a.txt', 2);
  await ui.thread('TWO').waitFor();
  await ui.keys('Control+Shift+Z');
  await redline.buffer('a.txt', accepted);
  await redline.pending('a.txt', 1);
  await redline.tells('go on', /accepted .*a\.txt:2/, 'still pending: 1');
});

scenario('one undo takes back accepting all of a file', { files, turns, open: 'a.txt' }, async (redline) => {
  const { ui } = redline;
  await redline.prompt('change it');
  await redline.pending('a.txt', 2);
  await redline.run('redline.acceptFile');
  await redline.pending('a.txt', 0);
  await redline.disk('a.txt', text.replace('two', 'TWO').replace('seven', 'SEVEN'));
  await ui.waitForEditorFocus();
  await ui.keys('Control+Z');
  await redline.buffer('a.txt', text);
  await redline.pending('a.txt', 2);
});

scenario('undo of own typing beside an accepted hunk leaves the decision alone', { files, turns, open: 'a.txt' }, async (redline) => {
  const { ui, probe } = redline;
  await redline.prompt('change it');
  await redline.pending('a.txt', 2);
  await redline.lens('Accept', 1, 2);
  await redline.pending('a.txt', 1);
  await ui.waitForEditorFocus();
  await probe.cursor(4, 0);
  await ui.type('x');
  await redline.buffer('a.txt', text.replace('two', 'TWO').replace('five', 'xfive'));
  await ui.keys('Control+Z');
  await redline.buffer('a.txt', text.replace('two', 'TWO'));
  await redline.pending('a.txt', 1);
});

scenario('reopen an accepted and a rejected hunk', { files, turns, open: 'a.txt' }, async (redline) => {
  await redline.prompt('change it');
  await redline.pending('a.txt', 2);
  await redline.lens('Accept', 1, 2);
  await redline.pending('a.txt', 1);
  await redline.lens('Reject', 1, 1);
  await redline.pending('a.txt', 0);
  await redline.reopen(1);
  await redline.pending('a.txt', 1);
  await redline.buffer('a.txt', text);
  await redline.disk('a.txt', text);
  await redline.reopen(6);
  await redline.pending('a.txt', 2);
  await redline.buffer('a.txt', text);
});
