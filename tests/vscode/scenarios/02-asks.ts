// Permission asks: shown with the rule, answered once, never by accident.
import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Redline } from '../lib/redline.ts';
import { scenario } from '../lib/scenario.ts';
import { bash, say, type Block } from '../lib/script.ts';
import { eventually, read, stays } from '../lib/wait.ts';

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
  for (const part of ['echo hello > made.txt', sandbox.workspace, 'it would write']) assert.ok(shown.includes(part), `${part} in ${shown}`);
  await read();
  await ui.keys('Enter');
  await ui.dialog.waitFor({ state: 'hidden' });
  await stays('nothing run', () => sandbox.disk('made.txt') === undefined);
  await ui.status.filter({ hasText: 'Redline asks' }).click();
  await ui.choose('Allow once');
  await redline.turns(1);
  assert.equal(sandbox.disk('made.txt'), 'hello\n');
});

scenario('rejected with a comment: it has not run, and the agent knows why', { files, turns: run, open: 'a.txt' }, async (redline) => {
  const { ui, sandbox } = redline;
  await redline.run('redline.prompt', { text: 'run it' });
  await ui.press(ui.notification('echo hello'), 'More…');
  await ui.choose('Reject and Say Why…');
  await ui.quickInput.waitFor();
  await read();
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
  await ui.choose('Allow once');
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
  await redline.rule(/session/);
  await redline.turns(1);
  await redline.prompt('again');
  assert.equal(redline.wire.sent('server', 'redline/permission').length, 1);
});

const touch = (id: string, file: string): Block[][] => [[bash(id, `touch ${file}`)], [say('Done.')]];
const asked = (redline: Redline): number => redline.wire.sent('server', 'redline/permission').length;
const granted = (redline: Redline): string | undefined => {
  const file = path.join(redline.sandbox.config, 'grants.json');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};

scenario('always in this folder, by an edited rule: what it covers is not asked again, until it is taken back', {
  files, turns: [...touch('b1', 'made.txt'), ...touch('b2', 'other.txt'), ...touch('b3', 'third.txt')], open: 'a.txt',
}, async (redline) => {
  const { ui, sandbox } = redline;
  await redline.run('redline.prompt', { text: 'run it' });
  await ui.press(ui.notification('touch made.txt'), 'More…');
  await redline.rule('in this folder', (rule) => rule.replace('made', '*'));
  await redline.turns(1);
  assert.equal(sandbox.disk('made.txt'), '');
  const saved = granted(redline) ?? '';
  assert.ok(saved.includes('touch *.txt') && saved.includes(sandbox.workspace), saved);
  await redline.prompt('again');
  assert.deepEqual([sandbox.disk('other.txt'), asked(redline)], ['', 1]);
  await ui.command('Redline: Show What Is Allowed…');
  const row = ui.quickInput.locator('.monaco-list-row').filter({ hasText: 'touch *.txt' });
  await ui.rowAction(row, 'Revoke');
  await row.waitFor({ state: 'detached' });
  await ui.keys('Escape');
  await redline.run('redline.prompt', { text: 'once more' });
  await ui.press(ui.notification('touch third.txt'), 'Reject');
  await redline.turns(3);
  assert.equal(sandbox.disk('third.txt'), undefined);
});

scenario('Esc in the box of the rule, and Back in the list, go back to the dialog: nothing is allowed', { files, turns: touch('b1', 'made.txt'), open: 'a.txt' }, async (redline) => {
  const { ui, sandbox } = redline;
  await redline.run('redline.prompt', { text: 'run it' });
  await ui.press(ui.notification('touch made.txt'), 'More…');
  await redline.scope('everywhere');
  await ui.keys('Escape');
  await ui.choose('Always Allow…');
  await ui.quickInput.getByText('nothing is allowed yet').waitFor();
  await read();
  // The first row has the focus.
  await ui.keys('Enter');
  await ui.choose('Decide Later');
  assert.deepEqual([sandbox.disk('made.txt'), granted(redline)], [undefined, undefined]);
  await ui.status.filter({ hasText: 'Redline asks' }).click();
  await ui.choose('Reject');
  await redline.turns(1);
});

scenario('an edited rule that is none: nothing is granted, and it is asked once more with the reason', { files, turns: touch('b1', 'made.txt'), open: 'a.txt' }, async (redline) => {
  const { ui, sandbox } = redline;
  await redline.run('redline.prompt', { text: 'run it' });
  await ui.press(ui.notification('touch made.txt'), 'More…');
  await redline.rule('everywhere', () => 'allow Bash --cmd:regex touch');
  const again = ui.notification('once more');
  await again.waitFor();
  assert.match(await again.innerText(), /regex/);
  assert.deepEqual([asked(redline), sandbox.disk('made.txt'), granted(redline)], [2, undefined, undefined]);
  await ui.press(again, 'Allow once');
  await redline.turns(1);
  assert.equal(sandbox.disk('made.txt'), '');
});

const own = (cmd: string): string => JSON.stringify({ 'redline.permissions': [{ tool: 'Bash', matches: { cmd }, action: 'allow' }] }, undefined, 2);

scenario('the rules of a folder count once they are trusted, and not when they change', {
  files: { ...files, '.redline/settings.json': own('touch made.txt') },
  turns: [...touch('b1', 'made.txt'), ...touch('b2', 'other.txt')], open: 'a.txt',
}, async (redline) => {
  const { ui, sandbox } = redline;
  await ui.press(ui.notification('rules of its own'), 'Show');
  await redline.shows('touch made.txt');
  await ui.press(ui.notification('rules of its own'), 'Trust');
  await eventually('the question to be gone', async () => (await ui.status.filter({ hasText: 'trust?' }).count()) === 0);
  await redline.prompt('run it');
  assert.deepEqual([sandbox.disk('made.txt'), asked(redline)], ['', 0]);
  sandbox.write('.redline/settings.json', own('touch *'));
  await redline.run('redline.prompt', { text: 'again' });
  await ui.status.filter({ hasText: 'Redline asks' }).waitFor();
  await ui.notification('changed since you trusted it').waitFor();
  await ui.press(ui.notification('touch other.txt'), 'Reject');
  await redline.turns(2);
  assert.equal(sandbox.disk('other.txt'), undefined);
});

scenario('a question of trust that is closed waits in the status bar; Not Now ends it', {
  files: { ...files, '.redline/settings.json': own('touch made.txt') }, turns: touch('b1', 'made.txt'), open: 'a.txt',
}, async (redline) => {
  const { ui, sandbox } = redline;
  await ui.notification('rules of its own').waitFor();
  assert.equal(await ui.editorHasFocus(), true);
  await ui.command('Notifications: Clear All Notifications');
  await ui.status.filter({ hasText: 'Redline: trust?' }).click();
  await ui.press(ui.notification('rules of its own'), 'Not Now');
  await eventually('the question to be gone', async () => (await ui.status.filter({ hasText: 'trust?' }).count()) === 0);
  await redline.run('redline.prompt', { text: 'run it' });
  await ui.press(ui.notification('touch made.txt'), 'Reject');
  await redline.turns(1);
  assert.equal(sandbox.disk('made.txt'), undefined);
});

scenario('in a window that does not trust its folder nothing is asked of trust; trusted there, it is', {
  files: { ...files, '.redline/settings.json': own('touch made.txt') }, trust: true,
  settings: { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never' },
}, async (redline) => {
  const { ui, wire, page } = redline;
  await redline.ready();
  const [initialize] = wire.sent<{ initializationOptions: { redline: { trusted: boolean } } }>('client', 'initialize');
  assert.equal(initialize?.initializationOptions.redline.trusted, false);
  await stays('no question', () => wire.sent('server', 'redline/trust').length === 0);
  await redline.run('workbench.trust.manage');
  await page.getByRole('button', { name: 'Trust', exact: true }).first().click();
  await eventually('the server to be told', () =>
    wire.sent<{ settings?: { redline?: { trusted?: boolean } } }>('client', 'workspace/didChangeConfiguration').some(({ settings }) => settings?.redline?.trusted === true),
  );
  await ui.notification('rules of its own').waitFor();
});

scenario('rules of the editor\'s settings count as soon as they are changed', {
  // A turn that is rejected ends there.
  files, turns: [[bash('b1', 'touch made.txt')], ...touch('b2', 'other.txt')], open: 'a.txt',
}, async (redline) => {
  const { ui, sandbox, wire } = redline;
  await redline.run('redline.prompt', { text: 'run it' });
  await ui.press(ui.notification('touch made.txt'), 'Reject');
  await redline.turns(1);
  sandbox.settings({ ...sandbox.own, 'redline.permissions': [{ tool: 'Bash', matches: { cmd: 'touch *' }, action: 'allow' }] });
  await eventually('the server to be told', () =>
    wire.sent<{ settings?: { redline?: { permissions?: unknown[] } } }>('client', 'workspace/didChangeConfiguration').some(({ settings }) => settings?.redline?.permissions?.length === 1),
  );
  await redline.prompt('again');
  assert.deepEqual([sandbox.disk('other.txt'), asked(redline)], ['', 1]);
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
