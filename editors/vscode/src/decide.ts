/** Decisions: `redline/resolve`, and what is said about the result. */
import * as vscode from 'vscode';
import * as wire from './protocol';
import type { Server } from './peer';
import { isDecided, isOpen, type Item, type Store } from './store';
import { counted, plain } from './words';

export interface Extra {
  comment?: string;
  finalText?: string;
}

export class Decide {
  constructor(
    private readonly server: Server,
    private readonly store: Store,
  ) {}

  /** Decides hunks of one file. False: the server did not do it. */
  async items(items: readonly Item[], action: wire.Action, extra: Extra = {}): Promise<boolean> {
    const first = items[0];
    const seen = first && this.store.review(first.key);
    if (!first || !seen) return false;
    const hunks = items.map(({ hunk }) => hunk.id);
    const send = (revision: number): Promise<wire.ResolveResult | undefined> =>
      this.send({ action, uri: seen.uri, hunks, ...extra, revision });
    let result = await send(seen.revision);
    // Another hunk of the file changed meanwhile, these did not: the decision still stands.
    if (result?.stale.length === hunks.length && this.areAsSeen(items)) {
      result = await send(this.store.review(first.key)?.revision ?? seen.revision);
    }
    if (!result) return false;
    report(result, action);
    return result.resolved.length > 0;
  }

  async file(key: string, action: wire.Action, extra: Extra = {}): Promise<void> {
    const items = this.store.items(key, action === 'reopen' ? isDecided : isOpen);
    if (items.length === 0) say('there is nothing to review in this file');
    else await this.items(items, action, extra);
  }

  /** All hunks of all files, those that are applied already included. */
  async everything(action: 'accept' | 'reject'): Promise<void> {
    if (this.store.count().hunks === 0) {
      say('there is nothing to review');
      return;
    }
    const result = await this.send({ action, include: 'applied' });
    if (result) report(result, action);
  }

  /** Whether the newest review shows these hunks as they were. */
  areAsSeen(items: readonly Item[]): boolean {
    return items.every(({ key, hunk }) => {
      const now = this.store.item(key, hunk.id)?.hunk;
      return now?.state === hunk.state && now.newText === hunk.newText && now.oldText === hunk.oldText;
    });
  }

  private send(params: wire.ResolveParams): Promise<wire.ResolveResult | undefined> {
    return this.server.request<wire.ResolveResult>(wire.resolve, params);
  }
}

/** A sentence; a bad one is shown until the user has seen it, with what can be done. */
export interface Outcome {
  text: string;
  button?: 'Show Log' | 'Next Change';
}

/** What the user must know of a result. Pure. */
export function outcome(result: wire.ResolveResult, action: wire.Action): Outcome[] {
  const said: Outcome[] = result.failed.map(({ reason }) => ({ text: `not done: ${reason}`, button: 'Show Log' }));
  const stale = result.stale.length;
  if (stale > 0 && action === 'reopen') {
    said.push({ text: `${counted(stale, 'change')} cannot be reopened: the text there changed since`, button: 'Next Change' });
  } else if (stale > 0) {
    said.push({ text: `${counted(stale, 'change')} changed meanwhile: look again, nothing was decided there`, button: 'Next Change' });
  }
  if (result.mixed.length > 0) {
    said.push({ text: 'what you typed inside the change was kept' });
  }
  return said;
}

function report(result: wire.ResolveResult, action: wire.Action): void {
  for (const { text, button } of outcome(result, action)) {
    if (button) void warn(text, button);
    else say(text);
  }
}

/** With a button, as a message without one is cut to its first words. */
async function warn(text: string, button: string): Promise<void> {
  const picked = await vscode.window.showWarningMessage(`Redline: ${plain(text)}`, button);
  if (picked === 'Show Log') await vscode.commands.executeCommand('redline.showLog');
  else if (picked !== undefined) await vscode.commands.executeCommand('redline.next');
}

/** A short word in passing: it needs no answer. */
export function say(text: string): void {
  vscode.window.setStatusBarMessage(`$(info) Redline: ${plain(text)}`, 6_000);
}
