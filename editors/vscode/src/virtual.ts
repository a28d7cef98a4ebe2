/** Proposed files that are not there yet, and what the agent sees of a file: read-only documents. */
import * as vscode from 'vscode';
import * as wire from './protocol';
import type { Server } from './peer';
import { isDrawn, type Store } from './store';

/** A proposed file, under the path that it will have. */
export const PENDING = 'redline-pending';
/** The agent's view of a file. */
export const AGENT = 'redline-agent';

/** The key of the file that a document is about; `undefined`: none of ours. */
export function keyOf(uri: vscode.Uri): string | undefined {
  if (uri.scheme === 'file') return uri.toString();
  return uri.scheme === PENDING ? uri.with({ scheme: 'file' }).toString() : undefined;
}

export const fileUri = (key: string): vscode.Uri => vscode.Uri.parse(key);
export const pendingUri = (key: string): vscode.Uri => fileUri(key).with({ scheme: PENDING });
export const agentUri = (key: string): vscode.Uri => fileUri(key).with({ scheme: AGENT });

export class Virtual implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changes.event;
  private readonly registered: vscode.Disposable;

  constructor(
    private readonly server: Server,
    private readonly store: Store,
  ) {
    const schemes = [PENDING, AGENT];
    this.registered = vscode.Disposable.from(
      ...schemes.map((scheme) => vscode.workspace.registerTextDocumentContentProvider(scheme, this)),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const key = uri.with({ scheme: 'file' }).toString();
    const review = this.store.review(key);
    const hunk = review?.hunks[0];
    const thread = hunk ? { threadId: hunk.origin.threadId } : {};
    const params: wire.ContentParams = { uri: review?.uri ?? key, projection: 'agent', ...thread };
    const result = await this.server.quietly<wire.ContentResult | null>(wire.content, params);
    return result?.text ?? (uri.scheme === PENDING ? (hunk?.newText ?? '') : '');
  }

  /** Whether the file is only proposed: it is to be shown as a virtual document. */
  isPending(key: string): boolean {
    const review = this.store.review(key);
    return review?.change === 'created' && review.hunks.some(isDrawn) && !isOpenDocument(fileUri(key));
  }

  /** The document in which a file's hunks are to be seen. */
  shownIn(key: string): vscode.Uri {
    return this.isPending(key) ? pendingUri(key) : fileUri(key);
  }

  /** After each review: brings documents up to date, and leaves those whose file was decided. */
  async update(key: string): Promise<void> {
    this.changes.fire(agentUri(key));
    if (this.isPending(key)) {
      this.changes.fire(pendingUri(key));
      return;
    }
    const tabs = tabsOf(pendingUri(key));
    const active = tabs.find((tab) => tab.isActive);
    if (tabs.length === 0) return;
    const preserveFocus = !(active?.group.isActive ?? false);
    if (active && (await exists(fileUri(key)))) {
      const viewColumn = active.group.viewColumn;
      await vscode.window.showTextDocument(fileUri(key), { viewColumn, preserveFocus, preview: false });
    }
    await vscode.window.tabGroups.close(tabsOf(pendingUri(key)), preserveFocus);
  }

  dispose(): void {
    this.registered.dispose();
    this.changes.dispose();
  }
}

const isOpenDocument = (uri: vscode.Uri): boolean =>
  vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());

function tabsOf(uri: vscode.Uri): vscode.Tab[] {
  const all = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return all.filter(
    ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
  );
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
