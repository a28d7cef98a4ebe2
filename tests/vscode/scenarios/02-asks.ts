// Permission asks: shown with the rule, answered once, never by accident.
import { strict as assert } from 'node:assert';
import { scenario } from '../lib/scenario.ts';
import { bash, say } from '../lib/script.ts';
import { eventually, stays } from '../lib/wait.ts';

const files = { 'a.txt': 'one\n' };
const run = [[bash('b1', 'echo hello > made.txt')], [say('Done.')], [say('I see.')]];

scenario('an ask is shown with its rule, takes no focus, and is allowed once', { files, turns: run, open: 'a.txt' }, async (redline) => {
  const { ui, sandbox } = redline;
  await redline.run('redline.prompt', { text: 'run it' });
  const ask = ui.notification('echo hello > made.txt');
  await ask.waitFor();
  // The rule in the server's own words, and what would change it.
  assert.match(await ask.innerText(), /it would write .*made\.txt.* add .*allow Bash/);
  await ui.status.filter({ hasText: 'Redline asks' }).waitFor();
  assert.equal(await ui.editorHasFocus(), true);
  await ui.keys('Enter');
  await stays('the ask, whatever is typed', async () => sandbox.disk('made.txt') === undefined && (await ask.isVisible()));
  await redline.buffer('a.txt', '\none\n');
  await ui.press(ask, 'Allow once');
  await redline.turns(1);
  assert.equal(sandbox.disk('made.txt'), 'hello\n');
  await eventually('the ask to be gone', async () => (await ui.status.filter({ hasText: 'Redline asks' }).count()) === 0);
  assert.equal(await ui.editorHasFocus(), true);
});

scenario('More… shows the whole ask in a dialog whose Enter allows nothing', { files, turns: run, open: 'a.txt' }, async (redline) => {
  const { ui, sandbox } = redline;
  await redline.run('redline.prompt', { text: 'run it' });
  await ui.press(ui.notification('echo hello'), 'More…');
  await ui.dialog.waitFor();
  const shown = await ui.dialog.innerText();
  for (const part of ['echo hello > made.txt', sandbox.workspace, 'covers']) assert.ok(shown.includes(part), `${part} in ${shown}`);
  await ui.keys('Enter');
  await ui.dialog.waitFor({ state: 'hidden' });
  await stays('nothing run', () => sandbox.disk('made.txt') === undefined);
  await ui.status.filter({ hasText: 'Redline asks' }).click();
  await ui.dialog.waitFor();
  await ui.dialog.getByRole('button', { name: 'Allow once', exact: true }).click();
  await redline.turns(1);
  assert.equal(sandbox.disk('made.txt'), 'hello\n');
});

scenario('rejected with a comment: it has not run, and the agent knows why', { files, turns: run, open: 'a.txt' }, async (redline) => {
  const { ui, sandbox } = redline;
  await redline.run('redline.prompt', { text: 'run it' });
  await ui.press(ui.notification('echo hello'), 'More…');
  await ui.dialog.getByRole('button', { name: 'Reject and Say Why…' }).click();
  await ui.answer('use make');
  await redline.turns(1);
  assert.equal(sandbox.disk('made.txt'), undefined);
  assert.ok((await redline.told()).includes('use make'));
});

scenario('plainly rejected: the turn ends and nothing has run', { files, turns: run, open: 'a.txt' }, async (redline) => {
  await redline.run('redline.prompt', { text: 'run it' });
  await redline.ui.press(redline.ui.notification('echo hello'), 'Reject');
  await redline.turns(1);
  assert.equal(redline.sandbox.disk('made.txt'), undefined);
});

scenario('an ask that is withdrawn: a late click allows nothing and says so', { files, turns: run, open: 'a.txt' }, async (redline) => {
  const { ui, sandbox } = redline;
  await redline.run('redline.prompt', { text: 'run it' });
  await ui.press(ui.notification('echo hello'), 'More…');
  await ui.dialog.waitFor();
  await redline.run('redline.cancel');
  await redline.turns(1);
  await ui.dialog.getByRole('button', { name: 'Allow once', exact: true }).click();
  await ui.notification('too late').waitFor();
  await stays('nothing run', () => sandbox.disk('made.txt') === undefined);
});

scenario('"for this session" asks no second time', {
  files,
  turns: [[bash('b1', 'touch made.txt')], [say('Done.')], [bash('b2', 'touch made.txt')], [say('Again.')]],
  open: 'a.txt',
}, async (redline) => {
  const { ui } = redline;
  await redline.run('redline.prompt', { text: 'run it' });
  await ui.press(ui.notification('touch made.txt'), 'More…');
  await ui.dialog.getByRole('button', { name: /session/i }).click();
  await redline.turns(1);
  await redline.prompt('again');
  assert.equal(redline.wire.sent('server', 'redline/permission').length, 1);
});

// No tool asks questions yet: the relay puts one in the server's place.
scenario('a question is answered in a quick pick, a free text in an input box', { files, open: 'a.txt' }, async (redline) => {
  const { ui } = redline;
  const questions = [
    { text: 'Which one?', type: 'SingleChoice', choices: ['red', 'blue'] },
    { text: 'And why?', type: 'FreeText' },
  ];
  const answered = redline.wire.request('redline/question', { questions }, 'client');
  await ui.quickInput.waitFor();
  await ui.pick('blue');
  await ui.answer('because', 'And why?');
  assert.deepEqual(await answered, { answers: [{ question: 'Which one?', selected: ['blue'] }, { question: 'And why?', text: 'because' }] });
});
