// The same with other settings of the editor and of ours.
import { strict as assert } from 'node:assert';
import { scenario } from '../lib/scenario.ts';
import { edit, say } from '../lib/script.ts';
import { equals, eventually, stays } from '../lib/wait.ts';

const text = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';
const files = { 'a.txt': text };
const turns = [[edit('e1', 'a.txt', 'two', 'TWO'), edit('e2', 'a.txt', 'seven', 'SEVEN')], [say('Proposed.')]];
const both = text.replace('two', 'TWO').replace('seven', 'SEVEN');

scenario('saveOnAccept off: accepted in the buffer, not on disk, until the user saves', {
  files, turns, open: 'a.txt', settings: { 'redline.saveOnAccept': false },
}, async (redline) => {
  await redline.prompt('change it');
  await redline.pending('a.txt', 2);
  await redline.lens('Accept', 1, 2);
  await redline.pending('a.txt', 1);
  await redline.buffer('a.txt', text.replace('two', 'TWO'));
  await stays('the disk as it was', () => redline.sandbox.disk('a.txt') === text);
  await redline.ui.waitForEditorFocus();
  await redline.ui.keys('Control+S');
  await redline.disk('a.txt', text.replace('two', 'TWO'));
  await redline.pending('a.txt', 1);
});

scenario('own unsaved typing is not saved by an accept', { files, turns, open: 'a.txt' }, async (redline) => {
  const { ui, probe } = redline;
  await redline.prompt('change it');
  await redline.pending('a.txt', 2);
  await ui.waitForEditorFocus();
  await probe.cursor(4, 0);
  await ui.type('mine ');
  await redline.buffer('a.txt', text.replace('five', 'mine five'));
  await redline.lens('Accept', 1, 2);
  await redline.pending('a.txt', 1);
  await redline.buffer('a.txt', text.replace('five', 'mine five').replace('two', 'TWO'));
  await stays('the disk as it was', () => redline.sandbox.disk('a.txt') === text);
});

scenario('code lenses off: icons and keys still decide', { files, turns, open: 'a.txt', settings: { 'editor.codeLens': false } }, async (redline) => {
  const { ui, probe } = redline;
  await redline.prompt('change it');
  await redline.pending('a.txt', 2);
  await redline.icon(ui.thread('TWO'), 'Accept Change').click();
  await redline.pending('a.txt', 1);
  assert.equal(await ui.lenses.count(), 0);
  await probe.cursor(6);
  await ui.waitForEditorFocus();
  await redline.press('accept');
  await redline.pending('a.txt', 0);
  await redline.disk('a.txt', both);
});

scenario('comments hidden: lenses, keys and the diff still show and decide', {
  files, turns, open: 'a.txt', settings: { 'comments.visible': false },
}, async (redline) => {
  const { ui, page } = redline;
  await redline.prompt('change it');
  await redline.pending('a.txt', 2);
  await ui.accept.first().waitFor();
  assert.equal(await ui.threads.filter({ visible: true }).count(), 0);
  await ui.lens(/Diff/).first().click();
  await page.locator('.monaco-diff-editor .editor.modified .view-line', { hasText: 'SEVEN' }).waitFor();
  await redline.open('a.txt');
  await redline.lens('Accept', 1, 2);
  await redline.pending('a.txt', 1);
  await redline.lens('Accept', 1, 1);
  await redline.pending('a.txt', 0);
  await redline.disk('a.txt', both);
});

const many = Array.from({ length: 80 }, (_, line) => `line ${String(line)}\n`).join('');

scenario('many hunks: one thread, the current one; it follows the cursor', {
  files: { 'a.txt': many },
  turns: [[2, 6, 10, 14, 18, 22, 26, 60].map((line) => edit(`e${String(line)}`, 'a.txt', `line ${String(line)}\n`, `LINE ${String(line)}\n`)), [say('Proposed.')]],
  open: 'a.txt',
}, async (redline) => {
  const { ui, probe } = redline;
  await redline.prompt('change it');
  await redline.pending('a.txt', 8);
  await ui.waitForEditorFocus();
  await probe.cursor(10);
  await ui.thread('LINE 10').waitFor();
  await equals('threads', () => ui.threads.count(), 1);
  await probe.cursor(18);
  await ui.thread('LINE 18').waitFor();
  await equals('threads', () => ui.threads.count(), 1);
  await redline.press('next');
  await ui.thread('LINE 22').waitFor();
  await redline.press('accept');
  await redline.pending('a.txt', 7);
  await redline.run('redline.rejectFile');
  await redline.pending('a.txt', 0);
  await redline.buffer('a.txt', many.replace('line 22\n', 'LINE 22\n'));
});

scenario('windows line ends and no final newline survive', {
  files: { 'a.txt': 'one\r\ntwo\r\nthree\r\nfour' },
  turns: [[edit('e1', 'a.txt', 'two', 'TWO'), edit('e2', 'a.txt', 'four', 'FOUR')], [say('Proposed.')]],
  open: 'a.txt',
}, async (redline) => {
  await redline.prompt('change it');
  await redline.run('redline.acceptAll');
  await redline.disk('a.txt', 'one\r\nTWO\r\nthree\r\nFOUR');
  await redline.buffer('a.txt', 'one\r\nTWO\r\nthree\r\nFOUR');
});

scenario('rules in settings.json are checked as they are typed, and completed', { files, open: 'a.txt' }, async ({ probe, sandbox }) => {
  const rules = [
    { tool: 'Bash', matches: { cmd: ['git *', '/^ls/'], run_in_background: true }, action: 'allow' },
    { tool: 'Bash', action: 'delegate', to: 'judge' },
    { tool: 'Bash', action: 'alow' },
    { tool: 'Bash', action: 'delegate' },
    { tool: 'Bash', action: 'ask', message: 'no' },
    { tool: 'Bash', action: 'allow', contxt: 'thread' },
  ];
  sandbox.settings({ ...sandbox.own, 'redline.permissions': rules });
  // In a remote window, which this is, settings of the machine's scope are those of the remote.
  await probe.command('workbench.action.openRemoteSettingsFile');
  await eventually('the settings', async () => (await probe.activeText())?.includes('alow'));
  const said = (): Promise<string[]> => probe.run((vscode) => {
    const document = vscode.window.activeTextEditor?.document;
    const from = document?.positionAt(document.getText().indexOf('redline.permissions'));
    const found = document === undefined ? [] : vscode.languages.getDiagnostics(document.uri);
    return found.filter(({ range }) => from !== undefined && range.start.isAfter(from)).map(({ message }) => message);
  }, undefined);
  await eventually('four errors', async () => (await said()).length === 4, { now: said });
  const offered = await probe.run(async (vscode) => {
    const document = vscode.window.activeTextEditor?.document;
    const at = document?.positionAt(document.getText().indexOf('alow'));
    const list = await vscode.commands.executeCommand<{ items: { label: string | { label: string } }[] }>('vscode.executeCompletionItemProvider', document?.uri, at);
    return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
  }, undefined);
  for (const action of ['allow', 'ask', 'reject', 'delegate']) assert.ok(offered.includes(`"${action}"`), offered.join(' '));
});
