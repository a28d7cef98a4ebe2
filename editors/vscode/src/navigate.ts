/** Going to hunks, and which hunks a command is about. */
import * as vscode from 'vscode';
import type { Review } from './review';
import { cursorRow, isDrawn, isOpen, type Item, type Store } from './store';
import type { Proposal, Target } from './threads';
import { AGENT, PENDING, agentUri, fileUri, keyOf, pendingUri, type Virtual } from './virtual';
import { say } from './decide';
import type { View } from './view';

export class Navigate {
  constructor(
    private readonly store: Store,
    private readonly virtual: Virtual,
    private readonly review: Review,
    private readonly view: View,
  ) {}

  /** The hunks that a command is about: those it was given, else those of the selection. */
  targets(given: unknown): Item[] {
    const target = this.given(given);
    if (target) {
      const item = this.store.item(target.key, target.id);
      return item ? [item] : [];
    }
    const editor = vscode.window.activeTextEditor;
    const key = editor && keyOf(editor.document.uri);
    if (!editor || key === undefined) return [];
    if (editor.document.uri.scheme === PENDING) return this.store.items(key, isOpen).slice(0, 1);
    const { start, end, active, isEmpty } = editor.selection;
    if (isEmpty) {
      const item = this.store.at(key, active.line);
      return item && isOpen(item.hunk) ? [item] : [];
    }
    const last = end.character === 0 ? end.line - 1 : end.line;
    return this.store.within(key, start.line, last);
  }

  /** A thread, a reply, a comment, a lens' or a tree's target. */
  private given(given: unknown): Target | undefined {
    if (typeof given !== 'object' || given === null) return undefined;
    if ('target' in given) return (given as Proposal).target;
    if ('key' in given && 'id' in given) return given as Target;
    const thread = 'thread' in given ? given.thread : given;
    return this.review.threads.target(thread as vscode.CommentThread);
  }

  /** The file that a command is about: a tree's node, a document's URI, else the active editor. */
  file(given: unknown): string | undefined {
    if (typeof given === 'object' && given !== null && 'key' in given) return given.key as string;
    const uri = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
    return uri?.scheme === AGENT ? uri.with({ scheme: 'file' }).toString() : uri && keyOf(uri);
  }

  async step(step: 1 | -1, given?: unknown): Promise<void> {
    const from = this.given(given);
    const item = from && this.store.item(from.key, from.id);
    const editor = vscode.window.activeTextEditor;
    const key = item?.key ?? (editor && keyOf(editor.document.uri));
    const row = item ? cursorRow(item) : (editor?.selection.active.line ?? 0);
    const next = this.store.neighbour(key, row, step);
    if (next) await this.go(next);
    else say('there is nothing to review');
  }

  /** Puts the cursor on a hunk, its proposed text in sight. */
  async go(item: Item): Promise<void> {
    const target: Target = { key: item.key, id: item.hunk.id };
    this.review.setCurrent(target);
    const editor = await vscode.window.showTextDocument(this.virtual.shownIn(item.key), { preview: true });
    this.view.release(editor);
    const row = Math.min(cursorRow(item), editor.document.lineCount - 1);
    editor.selection = new vscode.Selection(row, 0, row, 0);
    const last = Math.min(Math.max(row, item.last), editor.document.lineCount - 1);
    editor.revealRange(new vscode.Range(row, 0, last, 0), revealAt(editor, last));
    this.review.threads.expand(target);
  }

  /** What the agent proposes for a file as a whole, beside what is in the editor. */
  async diff(key: string | undefined): Promise<void> {
    if (key === undefined || this.store.items(key, isDrawn).length === 0) {
      say('there is nothing to compare in this file');
      return;
    }
    if (this.virtual.isPending(key)) {
      await vscode.window.showTextDocument(pendingUri(key));
      return;
    }
    const name = fileUri(key).path.split('/').at(-1) ?? '';
    await vscode.commands.executeCommand('vscode.diff', fileUri(key), agentUri(key), `${name} (yours ↔ proposed)`);
  }

  /** All files in one diff. */
  async allDiffs(): Promise<void> {
    const keys = this.store.keys(isDrawn);
    if (keys.length === 0) {
      say('there is nothing to review');
      return;
    }
    const entries = keys.map((key) =>
      this.virtual.isPending(key)
        ? [fileUri(key), undefined, pendingUri(key)]
        : [fileUri(key), fileUri(key), agentUri(key)],
    );
    await vscode.commands.executeCommand('vscode.changes', 'Redline: Pending Changes', entries);
  }
}

/** Below the upper half the proposed text, which stands under the old lines, may be out of sight. */
function revealAt(editor: vscode.TextEditor, row: number): vscode.TextEditorRevealType {
  const seen = editor.visibleRanges[0];
  const half = seen ? (seen.start.line + seen.end.line) / 2 : 0;
  const { InCenter, InCenterIfOutsideViewport } = vscode.TextEditorRevealType;
  return row > half ? InCenter : InCenterIfOutsideViewport;
}
