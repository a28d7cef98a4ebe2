/** Keeps what the editors show equal to what the store says. */
import * as vscode from 'vscode';
import { Draw } from './draw';
import { layout, layoutCreated, nothing, type LensPlan, type Look, type Picture } from './layout';
import { Threads, type Target } from './threads';
import type { Item, Store } from './store';
import { PENDING, keyOf, type Virtual } from './virtual';
import { editorsOf, type View } from './view';
import { hasIcons } from './words';

const LENSES_AGAIN_MS = 700;

export class Review implements vscode.CodeLensProvider, vscode.HoverProvider, vscode.Disposable {
  readonly threads: Threads;
  private readonly draw: Draw;
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.lensesChanged.event;
  private again: NodeJS.Timeout | undefined;
  private readonly lenses = new Map<string, string>();
  /** The hunk that the cursor was in last, by file. */
  private readonly current = new Map<string, string>();
  private readonly registered: vscode.Disposable;

  constructor(
    extension: vscode.Uri,
    private readonly store: Store,
    private readonly virtual: Virtual,
    private readonly view: View,
  ) {
    this.draw = new Draw(extension);
    this.threads = new Threads(() => {
      void vscode.window.showWarningMessage('Redline: the change you were editing is gone.');
    });
    const selector = [{ scheme: 'file' }, { scheme: PENDING }];
    this.registered = vscode.Disposable.from(
      vscode.languages.registerCodeLensProvider(selector, this),
      vscode.languages.registerHoverProvider(selector, this),
      vscode.window.onDidChangeVisibleTextEditors(() => { this.refreshAll(); }),
      vscode.window.onDidChangeActiveColorTheme(() => { this.threads.recolor(); }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => { this.look(textEditor); }),
      vscode.workspace.onDidOpenTextDocument((document) => { this.refresh(document); }),
      vscode.workspace.onDidCloseTextDocument((document) => { this.close(document); }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('comments') || event.affectsConfiguration('redline')) this.refreshAll();
      }),
    );
  }

  /** The hunks of a file, or their places, changed. */
  changed(key: string): void {
    for (const document of vscode.workspace.textDocuments) {
      if (keyOf(document.uri) === key) this.refresh(document);
    }
  }

  refreshAll(): void {
    for (const document of vscode.workspace.textDocuments) this.refresh(document);
  }

  /** The text of a document of ours changed. */
  shown(document: vscode.TextDocument): void {
    if (document.uri.scheme === PENDING) this.refresh(document);
  }

  /** Makes a hunk the one whose thread is shown. */
  setCurrent(target: Target): void {
    if (this.current.get(target.key) === target.id) return;
    this.current.set(target.key, target.id);
    this.changed(target.key);
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const key = keyOf(document.uri);
    return key === undefined ? [] : this.picture(document, key).lenses.map((plan) => codeLens(plan, key));
  }

  provideHover(document: vscode.TextDocument, { line }: vscode.Position): vscode.Hover | undefined {
    const key = keyOf(document.uri);
    const hovers = key === undefined ? [] : this.picture(document, key).hovers;
    const found = hovers.find((hover) => hover.line <= line && line <= hover.end);
    return found && new vscode.Hover(new vscode.MarkdownString(found.body, hasIcons(found.body)));
  }

  private look(editor: vscode.TextEditor): void {
    const key = keyOf(editor.document.uri);
    const item = key === undefined ? undefined : this.store.at(key, editor.selection.active.line);
    if (item) this.setCurrent({ key: item.key, id: item.hunk.id });
  }

  private refresh(document: vscode.TextDocument): void {
    const key = keyOf(document.uri);
    if (key === undefined) return;
    const picture = this.picture(document, key);
    const moved = this.threads.sync(document.uri, key, picture.threads);
    if (moved.length > 0) this.view.hold(document, moved);
    for (const editor of editorsOf(document)) this.draw.draw(editor, picture);
    this.tellLenses(document.uri.toString(), picture.lenses);
  }

  private tellLenses(uri: string, lenses: readonly LensPlan[]): void {
    const said = JSON.stringify(lenses);
    if ((this.lenses.get(uri) ?? '[]') === said) return;
    this.lenses.set(uri, said);
    this.lensesChanged.fire();
    // An editor that loses the focus right after that forgets to ask for them.
    clearTimeout(this.again);
    this.again = setTimeout(() => { this.lensesChanged.fire(); }, LENSES_AGAIN_MS);
  }

  private close(document: vscode.TextDocument): void {
    const key = keyOf(document.uri);
    if (key === undefined) return;
    if (document.uri.scheme !== PENDING) this.store.closed(key);
    this.threads.sync(document.uri, key, []);
    this.lenses.delete(document.uri.toString());
  }

  private picture(document: vscode.TextDocument, key: string): Picture {
    const review = this.store.review(key);
    if (!review) return nothing();
    const items: Item[] = this.store.items(key);
    const look: Look = { ...lookOf(document), current: this.current.get(key) };
    if (document.uri.scheme === PENDING) {
      return this.virtual.isPending(key) ? layoutCreated(items, review, look) : nothing();
    }
    // Ranges of a text that is not this one: a review of this one is on its way.
    if (this.store.version(key) !== document.version) return nothing();
    return layout(items, review, look);
  }

  dispose(): void {
    clearTimeout(this.again);
    this.registered.dispose();
    this.threads.dispose();
    this.draw.dispose();
    this.lensesChanged.dispose();
  }
}

function lookOf(document: vscode.TextDocument): Omit<Look, 'current'> {
  return {
    languageId: document.languageId,
    lineCount: document.lineCount,
    threads: vscode.workspace.getConfiguration('comments').get<boolean>('visible', true),
    expandLimit: vscode.workspace.getConfiguration('redline').get('expandLimit', 5),
  };
}

function codeLens({ line, id, ...lens }: LensPlan, key: string): vscode.CodeLens {
  const target: Target = { key, id };
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { ...lens, arguments: [target] });
}
