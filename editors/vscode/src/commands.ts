/** The commands. Each takes what its place hands over: a thread, a lens' target, a tree's node, or nothing. */
import * as vscode from 'vscode';
import type { App } from './app';
import { say } from './decide';
import * as wire from './protocol';
import type { Proposal } from './threads';
import { cursorRow, isDecided, type Item } from './store';
import { keyOf } from './virtual';

export interface Running {
  restart(): Promise<void>;
  showLog(): void;
}

export function registerCommands(app: App, client: Running): vscode.Disposable {
  const { decide, navigate, prompt, store } = app;
  const on = async (given: unknown, use: (items: Item[]) => unknown): Promise<void> => {
    const items = navigate.targets(given);
    if (items.length > 0) await use(items);
    else say(store.count().hunks > 0 ? 'no change here; "Go to Next Change" goes to one' : 'there is nothing to review');
  };
  const inFile = async (given: unknown, use: (key: string) => Promise<void>): Promise<void> => {
    const key = navigate.file(given);
    if (key === undefined) say('there is nothing to review in this file');
    else await use(key);
  };
  const commands: Record<string, (given?: unknown) => unknown> = {
    prompt: (given) => prompt.start(given),
    newThread: () => { prompt.newThread(); },
    cancel: () => prompt.cancel(),
    accept: (given) => on(given, (items) => decided(given, decide.items(items, 'accept'))),
    reject: (given) => on(given, (items) => decided(given, decide.items(items, 'reject'))),
    rejectWithComment: (given) => on(given, (items) => rejectWithComment(app, items)),
    submitReply: (given) => submitReply(app, given as vscode.CommentReply),
    edit: (given) => on(given, (items) => { if (items[0]) app.edit.start(items[0]); }),
    saveEdit: async (given) => { await app.edit.save(given as Proposal); await focusText(); },
    cancelEdit: async (given) => { app.edit.cancel(given as Proposal); await focusText(); },
    acceptFile: (given) => inFile(given, (key) => decide.file(key, 'accept')),
    rejectFile: (given) => inFile(given, (key) => decide.file(key, 'reject')),
    acceptAll: () => decide.everything('accept'),
    rejectAll: () => decide.everything('reject'),
    reopen: (given) => reopen(app, given),
    rewind: (given) => app.rewind.start(given),
    next: (given) => navigate.step(1, given),
    previous: (given) => navigate.step(-1, given),
    openHunk: (given) => on(given, (items) => items[0] && navigate.go(items[0])),
    openDiff: (given) => navigate.diff(navigate.file(given)),
    openAllChanges: () => navigate.allDiffs(),
    answerAsk: (given) => app.answer.start(askIdOf(given)),
    allowOnce: (given) => app.askUi.choose(askIdOf(given) ?? '', 'once'),
    rejectAsk: (given) => app.askUi.choose(askIdOf(given) ?? '', 'reject'),
    trustFolder: () => app.trustUi.again(),
    showGrants: () => app.grants.show(),
    showTranscript: () => { app.transcript.show(); },
    showLog: () => { client.showLog(); },
    status: () => status(app),
    restart: () => client.restart(),
  };
  const registered = Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(`redline.${name}`, run),
  );
  return vscode.Disposable.from(...registered);
}

const askIdOf = (given: unknown): string | undefined => {
  if (typeof given === 'string') return given;
  return typeof given === 'object' && given !== null && 'askId' in given ? String(given.askId) : undefined;
};

/** After a click into a thread the focus would be nowhere: it belongs to the text. */
async function focusText(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
}

/** At once, and not only when it is decided: the lenses are not renewed without the focus. */
async function decided(given: unknown, done: Promise<unknown>): Promise<void> {
  const isThread = typeof given === 'object' && given !== null && 'collapsibleState' in given;
  if (isThread) await focusText();
  await done;
}

async function rejectWithComment(app: App, items: Item[]): Promise<void> {
  const comment = await vscode.window.showInputBox({
    title: 'Reject',
    prompt: 'What should the agent change?',
    ignoreFocusOut: true,
  });
  if (comment !== undefined && comment.trim() !== '') await app.decide.items(items, 'reject', { comment });
}

/** The reply box. */
async function submitReply(app: App, reply: vscode.CommentReply): Promise<void> {
  const items = app.navigate.targets(reply.thread);
  const comment = reply.text.trim();
  if (items.length > 0 && comment !== '') await decided(reply.thread, app.decide.items(items, 'reject', { comment }));
}

/** A decided hunk of the tree, else the one of this file that is nearest to the cursor. */
async function reopen({ store, decide }: App, given: unknown): Promise<void> {
  if (typeof given === 'object' && given !== null && 'id' in given && 'key' in given) {
    const item = store.item(String(given.key), String(given.id));
    if (item) await decide.items([item], 'reopen');
    return;
  }
  const editor = vscode.window.activeTextEditor;
  const key = editor && keyOf(editor.document.uri);
  const row = editor?.selection.active.line ?? 0;
  const far = (item: Item): number => Math.abs(cursorRow(item) - row);
  const [nearest] = key === undefined ? [] : store.items(key, isDecided).sort((a, b) => far(a) - far(b));
  if (nearest) await decide.items([nearest], 'reopen');
  else say('nothing decided here that could be reopened');
}

async function status({ server }: App): Promise<void> {
  const now = await server.request<wire.StatusResult>(wire.status, {});
  if (!now) return;
  const text = `Redline ${now.version} · model ${now.model || 'none'} · ${String(now.pendingHunks)} changes in ${String(now.pendingFiles)} files · ${String(now.asks)} asks · log ${now.logFile}`;
  const picked = await vscode.window.showInformationMessage(text, 'Show Log');
  if (picked !== undefined) await vscode.commands.executeCommand('redline.showLog');
}
