// The server: how it is found, how it starts again, and what a folder may not decide.
import { strict as assert } from 'node:assert';
import { readdirSync, readlinkSync } from 'node:fs';
import { scenario } from '../lib/scenario.ts';
import { edit, say } from '../lib/script.ts';
import { equals, eventually, stays } from '../lib/wait.ts';

const text = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';
const files = { 'a.txt': text };
const turns = [[edit('e1', 'a.txt', 'two', 'TWO'), edit('e2', 'a.txt', 'seven', 'SEVEN')], [say('Proposed.')], [say('I see.')]];

scenario('a prompt given while the server starts is not lost', { files, turns, open: 'a.txt', early: true }, async (redline) => {
  await redline.run('redline.prompt', { text: 'change it' });
  await redline.pending('a.txt', 2);
});

scenario('the server that comes along in the package runs, and works', { files, turns, open: 'a.txt', bundled: true }, async (redline) => {
  await redline.startPrompt('change it');
  await redline.lens('Accept', 1, 2);
  await redline.disk('a.txt', text.replace('two', 'TWO'));
  assert.ok(programs().some((program) => /\/extensions\/redline\.redline-[^/]+\/bin\/redline$/.test(program)), programs().join('\n'));
});

scenario('restarted: what the new server knows is drawn, and typing goes on', { files, turns, open: 'a.txt' }, async (redline) => {
  const { ui, wire } = redline;
  await redline.prompt('change it');
  await redline.pending('a.txt', 2);
  await ui.command('Redline: Restart Server');
  await eventually('a second server', () => wire.sent('client', 'initialized').length === 2);
  await redline.buffer('a.txt', text);
  await equals('threads as the server has hunks', async () => (await ui.threads.count()) === redline.hunks('a.txt').length, true);
  await ui.waitForEditorFocus();
  await ui.type('still typing ');
  await redline.buffer('a.txt', `still typing ${text}`);
  // The script goes on where the new server begins it.
  await redline.prompt('again');
  await eventually('proposals again', () => redline.hunks('a.txt').length === 2);
  await equals('threads', () => ui.threads.count(), 2);
});

scenario('killed: it is started again and the buffer is untouched', { files, turns, open: 'a.txt' }, async (redline) => {
  const { ui, wire } = redline;
  await redline.prompt('change it');
  await redline.pending('a.txt', 2);
  await ui.waitForEditorFocus();
  await ui.type('mine ');
  await redline.buffer('a.txt', `mine ${text}`);
  redline.killServer();
  await eventually('a second server', () => wire.sent('client', 'initialized').length === 2);
  await redline.buffer('a.txt', `mine ${text}`);
  await redline.disk('a.txt', text);
  assert.equal(await ui.editorHasFocus(), true);
  await equals('threads as the server has hunks', async () => (await ui.threads.count()) === redline.hunks('a.txt').length, true);
});

scenario('a missing server is said once, with what to do', {
  files, open: 'a.txt', early: true, settings: { 'redline.server.path': '/nowhere/redline' },
}, async (redline) => {
  const { ui } = redline;
  await ui.notification('/nowhere/redline').waitFor();
  await equals('notifications', () => ui.notifications.count(), 1);
  await ui.notification('/nowhere/redline').getByRole('button', { name: 'Open Settings' }).waitFor();
  await stays('one notification', async () => (await ui.notifications.count()) === 1);
});

const greedy = {
  'redline.provider': 'script',
  'redline.script': '/folders/own.jsonl',
  'redline.server.path': '/folders/own/server',
  'redline.permissions': [{ tool: '*', action: 'allow' }],
};

scenario('a folder cannot choose the server, the provider, the rules: not even a trusted one', {
  files: { ...files, '.vscode/settings.json': JSON.stringify(greedy) }, turns, open: 'a.txt',
}, (redline) => {
  const [initialize] = redline.wire.sent<{ initializationOptions?: { redline?: Record<string, unknown> } }>('client', 'initialize');
  const settings = JSON.stringify(initialize?.initializationOptions?.redline);
  assert.ok(!settings.includes('folders') && !settings.includes('allow'), settings);
  return Promise.resolve();
});

scenario('restricted mode: the folder is not trusted, and its settings are not taken', {
  files: { ...files, '.vscode/settings.json': JSON.stringify({ ...greedy, 'redline.saveOnAccept': false }) }, turns, trust: true,
  settings: { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never' },
}, async (redline) => {
  await redline.page.getByText('Restricted Mode').first().waitFor();
  await redline.ready();
  await redline.open('a.txt');
  const [initialize] = redline.wire.sent<{ initializationOptions?: { redline?: Record<string, unknown> } }>('client', 'initialize');
  const settings = JSON.stringify(initialize?.initializationOptions?.redline);
  assert.ok(!settings.includes('folders') && !settings.includes('allow') && !settings.includes('saveOnAccept'), settings);
  await redline.prompt('change it');
  await redline.pending('a.txt', 2);
});

/** What the processes of this machine that we may look at run. */
function programs(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((process) => {
    try {
      return [readlinkSync(`/proc/${process}/exe`)];
    } catch {
      return [];
    }
  });
}
