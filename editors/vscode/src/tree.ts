/** The view "Pending Changes": asks, questions of trust, then files with their hunks, then what was decided. */
import * as vscode from 'vscode';
import { title, what, type Asks } from './asks';
import { lines } from './place';
import type { Ask, TrustParams } from './protocol';
import { isDecided, isOpen, type Item, type Store } from './store';
import { brief, heading, type Trusts } from './trust';
import { fileUri, type Virtual } from './virtual';
import { counted, sizeOf } from './words';

export type Node =
  | { kind: 'ask'; askId: string }
  | { kind: 'trust'; trustId: string }
  | { kind: 'file'; key: string }
  | { kind: 'hunk'; key: string; id: string }
  | { kind: 'decided' };

export class Tree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changes.event;
  private readonly view: vscode.TreeView<Node>;
  private shown = '';

  constructor(
    private readonly store: Store,
    private readonly asks: Asks,
    private readonly trusts: Trusts,
    private readonly virtual: Virtual,
  ) {
    this.view = vscode.window.createTreeView('redline.changes', { treeDataProvider: this, showCollapseAll: true });
  }

  /** Asks or reviews changed. Typing that moves nothing in the tree leaves it alone. */
  update(): void {
    const content = JSON.stringify(this.content());
    if (content === this.shown) return;
    this.shown = content;
    const { hunks, files } = this.store.count();
    const asks = this.asks.all().length + this.trusts.all().length;
    const said = [
      asks > 0 ? counted(asks, 'question') : '',
      hunks > 0 ? `${counted(hunks, 'change')} to review in ${counted(files, 'file')}` : '',
    ];
    this.view.badge = hunks + asks > 0 ? { value: hunks + asks, tooltip: said.filter(Boolean).join(', ') } : undefined;
    this.changes.fire(undefined);
  }

  getChildren(node?: Node): Node[] {
    if (!node) {
      const asks = this.asks.all().map(({ askId }): Node => ({ kind: 'ask', askId }));
      const trusts = this.trusts.all().map(({ trustId }): Node => ({ kind: 'trust', trustId }));
      const files = this.store.keys().map((key): Node => ({ kind: 'file', key }));
      const decided: Node[] = this.decided().length > 0 ? [{ kind: 'decided' }] : [];
      return [...asks, ...trusts, ...files, ...decided];
    }
    const hunk = ({ key, hunk: { id } }: Item): Node => ({ kind: 'hunk', key, id });
    if (node.kind === 'file' && (this.virtual.isPending(node.key) || this.deletes(node.key))) return [];
    if (node.kind === 'file') return this.store.items(node.key, (one) => isOpen(one) || one.state === 'accepting').map(hunk);
    return node.kind === 'decided' ? this.decided().map(hunk) : [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'ask':
        return askItem(node.askId, this.asks.get(node.askId));
      case 'trust':
        return trustItem(node.trustId, this.trusts.get(node.trustId));
      case 'file':
        return this.fileItem(node.key);
      case 'decided': {
        const item = new vscode.TreeItem(`Decided (${String(this.decided().length)})`, vscode.TreeItemCollapsibleState.Collapsed);
        item.id = 'decided';
        item.contextValue = 'decided';
        return item;
      }
      case 'hunk':
        return hunkItem(node, this.store.item(node.key, node.id), this.deletes(node.key));
    }
  }

  private deletes(key: string): boolean {
    return this.store.review(key)?.change === 'deleted';
  }

  /** Everything that the tree shows of the store. */
  private content(): unknown {
    const told = ({ hunk, first }: Item): unknown => [first, hunk.id, hunk.state, hunk.mixed, hunk.newText, hunk.oldText];
    const files = this.store.keys(() => true).map((key) => [key, this.virtual.isPending(key), this.deletes(key), this.store.items(key, () => true).map(told)]);
    return [this.asks.all(), this.trusts.all(), files];
  }

  private decided(): Item[] {
    return this.store.keys(isDecided).flatMap((key) => this.store.items(key, isDecided));
  }

  private fileItem(key: string): vscode.TreeItem {
    // A new file is one change: there is nothing below it.
    const fresh = this.virtual.isPending(key);
    // So is one that goes.
    const gone = this.deletes(key);
    const { None, Expanded } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(fileUri(key), fresh || gone ? None : Expanded);
    item.iconPath = vscode.ThemeIcon.File;
    const items = this.store.items(key, isOpen);
    const size = { added: 0, removed: 0 };
    for (const { hunk } of items) {
      size.added += lines(hunk.newText).length;
      size.removed += lines(hunk.oldText).length;
    }
    const folder = vscode.workspace.asRelativePath(fileUri(key)).split('/').slice(0, -1).join('/');
    const [only] = items;
    if ((fresh || gone) && only) {
      const target: Node = { kind: 'hunk', key, id: only.hunk.id };
      item.command = { title: 'Open', command: 'redline.openHunk', arguments: [target] };
    }
    item.id = `file ${key}`;
    item.contextValue = 'file';
    item.description = [fresh ? 'new file' : '', gone ? 'deleted' : '', sizeOf(size), folder].filter(Boolean).join('  ');
    return item;
  }

  dispose(): void {
    this.view.dispose();
    this.changes.dispose();
  }
}

function askItem(askId: string, ask: Ask | undefined): vscode.TreeItem {
  const item = new vscode.TreeItem(ask ? title(ask) : '');
  item.id = `ask ${askId}`;
  item.contextValue = 'ask';
  item.iconPath = new vscode.ThemeIcon('question', new vscode.ThemeColor('list.warningForeground'));
  item.description = ask ? (what(ask).split('\n')[0] ?? '') : '';
  item.tooltip = ask ? what(ask) : '';
  item.command = { title: 'Answer', command: 'redline.answerAsk', arguments: [askId] };
  return item;
}

function trustItem(trustId: string, question: TrustParams | undefined): vscode.TreeItem {
  const item = new vscode.TreeItem(question ? heading(question) : '');
  item.id = `trust ${trustId}`;
  item.contextValue = 'trust';
  item.iconPath = new vscode.ThemeIcon('shield', new vscode.ThemeColor('list.warningForeground'));
  item.description = question?.files.join(', ') ?? '';
  item.tooltip = question ? brief(question) : '';
  item.command = { title: 'Answer', command: 'redline.answerAsk', arguments: [trustId] };
  return item;
}

const ICONS: Record<string, [string, string?]> = {
  change: ['diff-modified', 'gitDecoration.modifiedResourceForeground'],
  insertion: ['diff-added', 'gitDecoration.addedResourceForeground'],
  deletion: ['diff-removed', 'gitDecoration.deletedResourceForeground'],
  accepting: ['sync~spin'],
  applied: ['pass', 'gitDecoration.addedResourceForeground'],
  conflict: ['warning', 'list.warningForeground'],
  accepted: ['check', 'testing.iconPassed'],
  rejected: ['close', 'testing.iconFailed'],
};

function hunkItem(node: { key: string; id: string }, found: Item | undefined, deletes: boolean): vscode.TreeItem {
  const item = new vscode.TreeItem('');
  item.id = `hunk ${node.key} ${node.id}`;
  if (!found) return item;
  const { hunk, first } = found;
  const before = lines(hunk.oldText);
  const after = lines(hunk.newText);
  const told = after.find((line, i) => line.trim() !== '' && line !== before[i]) ?? before.find(Boolean) ?? '';
  item.label = deletes && after.length === 0 ? 'Deletes the file' : `${String(first + 1)}: ${told.trim()}`;
  const kind = before.length === 0 ? 'insertion' : after.length === 0 ? 'deletion' : 'change';
  const [icon, color] = ICONS[hunk.state === 'pending' ? kind : hunk.state] ?? ['diff'];
  item.iconPath = new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
  const name = isDecided(hunk) ? (fileUri(node.key).path.split('/').at(-1) ?? '') : '';
  const state = hunk.state === 'pending' ? '' : hunk.state;
  const mixed = hunk.mixed ? 'contains your typing' : '';
  const size = sizeOf({ added: after.length, removed: before.length });
  item.description = [size, state, mixed, name].filter(Boolean).join('  ');
  item.contextValue = isDecided(hunk) ? 'hunk.decided' : `hunk.${hunk.state}`;
  // Of a file that is gone there is nothing to open.
  const gone = deletes && (hunk.state === 'accepted' || hunk.state === 'applied');
  if (!gone) item.command = { title: 'Open', command: 'redline.openHunk', arguments: [node] };
  return item;
}
