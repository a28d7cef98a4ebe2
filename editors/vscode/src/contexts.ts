/** Context keys: they say when keys and buttons are there. */
import * as vscode from 'vscode';
import type { Asks } from './asks';
import { isDecided, isOpen, type Store } from './store';
import type { Trusts } from './trust';
import type { Turns } from './turns';
import { PENDING, keyOf } from './virtual';

export class Contexts implements vscode.Disposable {
  private readonly known = new Map<string, unknown>();
  private readonly registered: vscode.Disposable;

  constructor(
    private readonly store: Store,
    private readonly asks: Asks,
    private readonly trusts: Trusts,
    private readonly turns: Turns,
  ) {
    this.registered = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(() => { this.update(); }),
      vscode.window.onDidChangeTextEditorSelection(() => { this.update(); }),
    );
  }

  update(): void {
    const editor = vscode.window.activeTextEditor;
    const key = editor && keyOf(editor.document.uri);
    const open = key === undefined ? [] : this.store.items(key, isOpen);
    this.set('redline.hasHunks', this.store.count().hunks > 0);
    this.set('redline.fileHasHunks', open.length > 0);
    this.set('redline.atHunk', editor !== undefined && key !== undefined && this.isAt(editor, key));
    this.set('redline.hasDecided', this.store.keys(isDecided).length > 0);
    this.set('redline.hasAsks', this.asks.all().length + this.trusts.all().length > 0);
    this.set('redline.working', this.turns.threads().length > 0);
  }

  private isAt({ document, selection }: vscode.TextEditor, key: string): boolean {
    if (document.uri.scheme === PENDING) return this.store.items(key, isOpen).length > 0;
    if (!selection.isEmpty) return this.store.within(key, selection.start.line, selection.end.line).length > 0;
    const item = this.store.at(key, selection.active.line);
    return item !== undefined && isOpen(item.hunk);
  }

  private set(name: string, value: boolean): void {
    if (this.known.get(name) === value) return;
    this.known.set(name, value);
    void vscode.commands.executeCommand('setContext', name, value);
  }

  dispose(): void {
    this.registered.dispose();
  }
}
