// Functions that run in the extension host, where the editor's own API tells what the window does not show.
import type * as Vscode from 'vscode';
import { ask } from './line.ts';

type Api = typeof Vscode;
/** Its source is sent, so it uses nothing from outside but its parameters. */
type Remote<A, R> = (vscode: Api, argument: A) => R | Promise<R>;

export class Probe {
  readonly #socket: string;

  constructor(socket: string) {
    this.#socket = socket;
  }

  async run<A, R>(remote: Remote<A, R>, argument: A): Promise<R> {
    const answer = (await ask(this.#socket, { source: remote.toString(), argument })) as { value?: unknown; error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value as R;
  }

  /** The text of a document that is open; null if it is not. */
  text(file: string): Promise<string | null> {
    return this.run((vscode, path) => vscode.workspace.textDocuments.find((d) => d.uri.fsPath === path)?.getText() ?? null, file);
  }

  /** Whether a document has changes that are not saved. */
  dirty(file: string): Promise<boolean> {
    return this.run((vscode, path) => vscode.workspace.textDocuments.find((d) => d.uri.fsPath === path)?.isDirty ?? false, file);
  }

  /** The active editor: its URI, its cursor (0-based) and the first and last visible line. */
  active(): Promise<{ uri: string; line: number; character: number; top: number; bottom: number } | null> {
    return this.run((vscode) => {
      const editor = vscode.window.activeTextEditor;
      if (editor === undefined) return null;
      const { active } = editor.selection;
      return {
        uri: editor.document.uri.toString(),
        line: active.line,
        character: active.character,
        top: editor.visibleRanges[0]?.start.line ?? -1,
        bottom: editor.visibleRanges.at(-1)?.end.line ?? -1,
      };
    }, undefined);
  }

  /** The text of the active editor. */
  activeText(): Promise<string | null> {
    return this.run((vscode) => vscode.window.activeTextEditor?.document.getText() ?? null, undefined);
  }

  /** Puts the cursor somewhere, 0-based, and brings it into view. */
  async cursor(line: number, character = 0): Promise<void> {
    await this.run(
      (vscode, at) => {
        const editor = vscode.window.activeTextEditor;
        if (editor === undefined) throw new Error('no active editor');
        const position = new vscode.Position(at.line, at.character);
        editor.selection = new vscode.Selection(position, position);
        editor.revealRange(new vscode.Range(position, position));
      },
      { line, character },
    );
    await this.settle();
  }

  /** Waits until the window knows what the extensions have told it so far: one more message there and back. */
  settle(): Promise<void> {
    return this.command('setContext', 'redlineProbe', true);
  }

  /** The open tabs' labels. */
  tabs(): Promise<string[]> {
    return this.run((vscode) => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label)), undefined);
  }

  /** Runs a command by its id, as an extension would. */
  async command(id: string, ...args: unknown[]): Promise<void> {
    await this.run(
      async (vscode, what) => {
        await vscode.commands.executeCommand(what.id, ...what.args);
      },
      { id, args },
    );
  }
}
