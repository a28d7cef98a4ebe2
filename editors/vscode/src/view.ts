/** Keeps what an editor shows in place while threads come and go above it. */
import * as vscode from 'vscode';
import { follow, type TextEdit } from './follow';

/** So long after the window has heard of a change the view may still jump: threads are drawn in their own time. */
const WATCH_MS = 1200;
/** More often the view is not put back: then it is the user who scrolls. Each thread that is drawn can take two or three. */
export const RESTORES = 14;
/** The view has come to rest. */
const QUIET_MS = 40;

interface Held {
  top: number;
  document: vscode.TextDocument;
  restores: number;
  /** How many lines above the one that is to be on top the editor stops: sticky scroll has its own wishes. */
  short: number;
  end?: NodeJS.Timeout;
  restore?: NodeJS.Timeout;
}

export class View implements vscode.Disposable {
  private readonly held = new Map<vscode.TextEditor, Held>();
  private readonly registered = vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => { this.moved(textEditor); }),
    // The user goes somewhere: that is not to be undone.
    vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
      if (kind !== undefined && kind !== vscode.TextEditorSelectionChangeKind.Command) this.release(textEditor);
    }),
  );

  /**
   * Something changes at these lines. Where they are above what an editor shows, its top line is on
   * top again after that; `edits` move it along. Elsewhere the view does not jump.
   */
  hold(document: vscode.TextDocument, lines: readonly number[], edits: readonly TextEdit[] = []): void {
    for (const editor of editorsOf(document)) {
      const known = this.held.get(editor);
      const line = known?.top ?? editor.visibleRanges[0]?.start.line ?? 0;
      if (!known && !lines.some((one) => one < line)) continue;
      clearTimeout(known?.end);
      const top = follow({ line, character: 0 }, edits).line;
      const held: Held = Object.assign(known ?? { restores: 0, short: 0 }, { top, document });
      this.held.set(editor, held);
      void this.watch(editor, held);
    }
  }

  /** A window that is busy takes its time: the clock runs from when it answers. */
  private async watch(editor: vscode.TextEditor, held: Held): Promise<void> {
    await vscode.commands.executeCommand('setContext', 'redline.drawn', true);
    if (this.held.get(editor) !== held) return;
    clearTimeout(held.end);
    held.end = setTimeout(() => { this.release(editor); }, WATCH_MS);
  }

  release(editor: vscode.TextEditor): void {
    const held = this.held.get(editor);
    clearTimeout(held?.end);
    clearTimeout(held?.restore);
    this.held.delete(editor);
  }

  private moved(editor: vscode.TextEditor): void {
    const held = this.held.get(editor);
    if (!held) return;
    clearTimeout(held.restore);
    if (held.restores === RESTORES) this.release(editor);
    else held.restore = setTimeout(() => { this.restore(editor, held); }, QUIET_MS);
  }

  private restore(editor: vscode.TextEditor, held: Held): void {
    if (held.document !== editor.document || !vscode.window.visibleTextEditors.includes(editor)) return;
    const now = editor.visibleRanges[0]?.start.line ?? held.top;
    if (now === held.top) return;
    if (held.restores > 0) held.short += held.top - now;
    held.restores += 1;
    const line = Math.min(Math.max(0, held.top + held.short), editor.document.lineCount - 1);
    editor.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.AtTop);
    void this.watch(editor, held);
  }

  dispose(): void {
    this.registered.dispose();
    for (const editor of this.held.keys()) this.release(editor);
  }
}

export const editorsOf = (document: vscode.TextDocument): vscode.TextEditor[] =>
  vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
