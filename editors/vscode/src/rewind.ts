/** Back to before a turn of the agent. */
import * as vscode from 'vscode';
import { say, type Decide } from './decide';
import type { Server } from './peer';
import * as wire from './protocol';
import type { Item, Store } from './store';
import type { Turns } from './turns';
import { counted, plain } from './words';

type Turn = wire.TurnsResult['turns'][number];

export class Rewind {
  constructor(
    private readonly server: Server,
    private readonly store: Store,
    private readonly turns: Turns,
    private readonly decide: Decide,
  ) {}

  /** `given` is the number of a turn; else the user chooses one. */
  async start(given?: unknown): Promise<void> {
    const threadId = await this.thread();
    if (threadId === undefined) return;
    const turn = typeof given === 'number' ? given : await this.choose(threadId);
    if (turn === undefined) return;
    const result = await this.server.request<wire.RewindResult>(wire.rewind, { threadId, turn });
    if (result) await this.tell(turn, result);
  }

  /** The thread that prompts go on with, else the newest one. */
  private async thread(): Promise<string | undefined> {
    if (this.turns.current !== undefined) return this.turns.current;
    const known = await this.server.request<wire.ThreadsResult>(wire.threads, {});
    if (known?.threads.length === 0) say('there is no thread yet, so nothing to go back to');
    return known?.threads[0]?.threadId;
  }

  private async choose(threadId: string): Promise<number | undefined> {
    const known = await this.server.request<wire.TurnsResult>(wire.turns, { threadId });
    if (!known) return undefined;
    if (known.turns.length === 0) {
      say('no turn of this thread has changed a file');
      return undefined;
    }
    const options = { title: 'Go Back to Before a Turn', placeHolder: 'What you typed since stays; the way back can be undone.' };
    return (await vscode.window.showQuickPick(picks(known.turns), options))?.turn;
  }

  private async tell(turn: number, result: wire.RewindResult): Promise<void> {
    const undo = this.wayBack(turn, result).length > 0 ? ['Undo'] : [];
    const show = result.kept.length > 0 ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
    const picked = await show(`Redline: ${plain(sentence(turn, result, name))}`, ...undo);
    // Asked for anew: some of them may be decided by now.
    if (picked !== undefined) await Promise.all(this.wayBack(turn, result).map((items) => this.decide.items(items, 'reject')));
  }

  /** The hunks that a way back made, file by file. */
  private wayBack(turn: number, { files }: wire.RewindResult): Item[][] {
    const made = ({ state, origin }: wire.Hunk): boolean =>
      state === 'applied' && origin.tool === 'rewind' && origin.toolCallId === `rewind-${String(turn)}`;
    const items = files.map((uri) => this.store.items(vscode.Uri.parse(uri).toString(), made));
    return items.filter(({ length }) => length > 0);
  }
}

const name = (uri: string): string => vscode.workspace.asRelativePath(vscode.Uri.parse(uri));

/** "Turn 3 · a.py, b.py", the newest first. */
function picks(turns: readonly Turn[]): (vscode.QuickPickItem & { turn: number })[] {
  const pick = ({ turn, files }: Turn): vscode.QuickPickItem & { turn: number } => ({
    label: `Turn ${String(turn)} · ${files.map(name).join(', ')}`,
    turn,
  });
  return turns.map(pick).reverse();
}

/** What was done, and what was not. Pure. */
export function sentence(turn: number, { files, withdrawn, kept }: wire.RewindResult, nameOf: (uri: string) => string): string {
  const done = [
    files.length > 0 ? `${counted(files.length, 'file')} changed` : '',
    withdrawn > 0 ? `${counted(withdrawn, 'proposal')} withdrawn` : '',
  ].filter(Boolean);
  const nothing = kept.length > 0 ? `nothing went back to before turn ${String(turn)}` : `all is as it was before turn ${String(turn)} already`;
  const start = done.length > 0 ? `went back to before turn ${String(turn)}: ${done.join(', ')}` : nothing;
  return [start, ...kept.map(({ uri, reason }) => `${nameOf(uri)}: ${reason}`)].join('; ');
}
