/** Prompts, and what threads tell. */
import * as vscode from 'vscode';
import { say } from './decide';
import type { Server } from './peer';
import * as wire from './protocol';
import type { Store } from './store';
import type { Transcript } from './transcript';
import type { Turns } from './turns';
import { keyOf } from './virtual';
import { counted, plain } from './words';

export class Prompt {
  constructor(
    private readonly server: Server,
    private readonly store: Store,
    private readonly turns: Turns,
    private readonly transcript: Transcript,
  ) {}

  /** Asks for a text, unless there is one. It goes on with the same thread. */
  async start(given?: unknown): Promise<void> {
    const { text, threadId } = argumentsOf(given);
    const said = text ?? (await ask(this.turns.current !== undefined));
    if (said === undefined || said.trim() === '') return;
    const thread = threadId ?? this.turns.current;
    const params: wire.PromptParams = { text: said, context: context(), ...(thread === undefined ? {} : { threadId: thread }) };
    this.transcript.prompt(said);
    const result = await this.server.request<wire.PromptResult>(wire.prompt, params);
    if (result) this.turns.started(result.threadId, result.turnId);
  }

  newThread(): void {
    this.turns.current = undefined;
    say('the next prompt starts a new thread');
  }

  async cancel(): Promise<void> {
    const threads = this.turns.threads();
    if (threads.length === 0) say('nothing runs');
    await Promise.all(threads.map((threadId) => this.server.request<null>(wire.cancel, { threadId })));
  }

  event(event: wire.ThreadEvent): void {
    this.transcript.event(event);
    const end = this.turns.event(event);
    if (end) void this.ended(end);
  }

  private async ended(end: wire.TurnEndEvent): Promise<void> {
    const text = summary(end, this.store.count());
    this.transcript.note(text);
    if (end.reason === 'error') {
      const picked = await vscode.window.showErrorMessage(`Redline: ${plain(text)}`, 'Show Log');
      if (picked !== undefined) await vscode.commands.executeCommand('redline.showLog');
      return;
    }
    const { hunks } = this.store.count();
    const wanted = vscode.workspace.getConfiguration('redline').get<boolean>('notifyOnTurnEnd', true);
    if (!wanted || end.reason === 'cancelled' || (hunks > 0 && this.isShown())) {
      say(text);
      return;
    }
    const picked = await vscode.window.showInformationMessage(`Redline: ${plain(text)}`, ...(hunks > 0 ? ['Review'] : []));
    if (picked !== undefined) await vscode.commands.executeCommand('redline.next');
  }

  /** Whether the user sees in the window what waits. */
  private isShown(): boolean {
    const keys = vscode.window.visibleTextEditors.map(({ document }) => keyOf(document.uri));
    return vscode.window.state.focused && this.store.keys().some((key) => keys.includes(key));
  }
}

/** What the end of a turn means to the user. Pure. */
export function summary(end: wire.TurnEndEvent, { hunks, files }: { hunks: number; files: number }): string {
  if (end.reason === 'error') return `failed: ${end.message ?? 'no reason given'}`;
  if (end.reason === 'cancelled') return 'stopped';
  if (hunks > 0) return `${counted(hunks, 'change')} to review in ${counted(files, 'file')}`;
  return end.message ?? 'done, nothing to review';
}

function argumentsOf(given: unknown): { text?: string; threadId?: string } {
  if (typeof given === 'string') return { text: given };
  if (typeof given !== 'object' || given === null) return {};
  const { text, threadId } = given as Record<string, unknown>;
  return {
    ...(typeof text === 'string' ? { text } : {}),
    ...(typeof threadId === 'string' ? { threadId } : {}),
  };
}

async function ask(goesOn: boolean): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: goesOn ? 'Ask the Agent (same thread)' : 'Ask the Agent',
    prompt: 'Its edits become changes that you review; nothing is written before you accept it.',
    placeHolder: 'rename the counter and run the tests',
    ignoreFocusOut: true,
  });
}

/** What the user has before them: the active file, what is selected in it, what else is open. */
function context(): wire.PromptContext {
  const isFile = ({ uri }: vscode.TextDocument): boolean => uri.scheme === 'file';
  const editor = vscode.window.activeTextEditor;
  const openUris = vscode.workspace.textDocuments.filter(isFile).map(({ uri }) => uri.toString());
  if (!editor || !isFile(editor.document)) return { openUris };
  const activeUri = editor.document.uri.toString();
  const { start, end, isEmpty } = editor.selection;
  if (isEmpty) return { activeUri, openUris };
  const at = ({ line, character }: vscode.Position): wire.Range['start'] => ({ line, character });
  return { activeUri, openUris, selection: { uri: activeUri, range: { start: at(start), end: at(end) } } };
}
