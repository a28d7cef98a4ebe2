/** What was asked, said and done, in an output channel. */
import * as vscode from 'vscode';
import type { ThreadEvent, ToolCallEvent } from './protocol';

const ENDED = new Set(['done', 'error', 'cancelled', 'rejected-by-user']);

export class Transcript implements vscode.Disposable {
  private readonly channel = vscode.window.createOutputChannel('Redline Thread', 'markdown');
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

  event({ event }: ThreadEvent): void {
    if (event.type === 'text') {
      this.channel.append(event.delta);
      this.fresh = event.delta.endsWith('\n');
    } else if (event.type === 'toolCall' && ENDED.has(event.status)) {
      const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri.fsPath);
      this.line(toolLine(event, folders) + diagram(event));
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

/** One line a tool call, paths relative to the workspace's folders. */
export function toolLine({ status, title, name, elapsedMs }: ToolCallEvent, folders: readonly string[] = []): string {
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
