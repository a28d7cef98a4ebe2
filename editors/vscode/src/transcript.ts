/** What was asked, said and done, in an output channel. */
import * as vscode from 'vscode';
import type { ThreadEvent, ToolCallEvent } from './protocol';

const ENDED = new Set(['done', 'error', 'cancelled', 'rejected-by-user']);

export class Transcript implements vscode.Disposable {
  private readonly channel = vscode.window.createOutputChannel('Redline Thread', 'markdown');
  private readonly outline = new Outline();
  private fresh = true;

  show(): void {
    this.channel.show(true);
  }

  prompt(text: string): void {
    this.line(`\n> ${text.replace(/\n/g, '\n> ')}\n`);
  }

  note(text: string): void {
    this.line(`\n(${text})`);
  }

  event(told: ThreadEvent): void {
    const { event, parentToolUseId } = told;
    const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri.fsPath);
    for (const line of this.outline.lines(told, folders)) this.line(line);
    // What a subagent says is said to the agent that sent it.
    if (event.type === 'text' && parentToolUseId === undefined) {
      this.channel.append(event.delta);
      this.fresh = event.delta.endsWith('\n');
    }
  }

  private line(text: string): void {
    this.channel.append(`${this.fresh ? '' : '\n'}${text}\n`);
    this.fresh = true;
  }

  dispose(): void {
    this.channel.dispose();
  }
}

/**
 * Which lines an event adds: one for each call that has ended, those of a subagent indented below
 * the call that sent it. That one has not ended yet, so it gets a line before them; again where
 * something else came between. Pure.
 */
export class Outline {
  /** Calls of threads that run. */
  private readonly running = new Map<string, ToolCallEvent>();
  /** The call that the last line was indented below. */
  private under: string | undefined;

  lines({ threadId, parentToolUseId: parent, event }: ThreadEvent, folders?: readonly string[]): string[] {
    if (event.type !== 'toolCall') {
      if (parent === undefined) this.under = undefined;
      return [];
    }
    const ended = ENDED.has(event.status);
    if (parent !== undefined) {
      return ended ? [...this.head(`${threadId}/${parent}`, folders), `  ${toolLine(event, folders)}${diagram(event)}`] : [];
    }
    const call = `${threadId}/${event.toolCallId}`;
    if (!ended) {
      this.running.set(call, event);
      return [];
    }
    this.running.delete(call);
    this.under = undefined;
    return [toolLine(event, folders) + diagram(event)];
  }

  private head(call: string, folders?: readonly string[]): string[] {
    const event = this.running.get(call);
    if (this.under === call || event === undefined) return [];
    this.under = call;
    return [toolLine({ ...event, elapsedMs: undefined }, folders)];
  }
}

type Line = Pick<ToolCallEvent, 'status' | 'title' | 'name'> & { elapsedMs?: number | undefined };

/** One line a tool call, paths relative to the workspace's folders. */
export function toolLine({ status, title, name, elapsedMs }: Line, folders: readonly string[] = []): string {
  const time = elapsedMs === undefined ? '' : ` (${(elapsedMs / 1000).toFixed(1)} s)`;
  const line = `- ${status}: ${(title || name).replace(/\n/g, ' ')}${time}`;
  return folders.reduce((text, folder) => text.replaceAll(`${folder}/`, ''), line);
}

/** The diagram that a call showed, as a fenced block below its line; '' if it showed none. */
export function diagram({ name, status, args }: ToolCallEvent): string {
  const code = 'code' in args ? args.code : undefined;
  if (name !== 'mermaid' || status !== 'done' || typeof code !== 'string') return '';
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `\n\n${fence}mermaid\n${code.trimEnd()}\n${fence}\n`;
}
