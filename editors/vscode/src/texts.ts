/** Texts of the server in documents that can only be read: nothing there is to be saved. */
import * as vscode from 'vscode';

const SCHEME = 'redline-text';

export class Texts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly known = new Map<string, string>();
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changes.event;
  private readonly registered = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => { if (uri.scheme === SCHEME) this.known.delete(uri.path); }),
  );

  /** Shows a text under a title. The user asked for it: it takes the focus. */
  async show(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.file(`/${title.replace(/[/\\\n]+/g, ' ')}`).with({ scheme: SCHEME });
    this.known.set(uri.path, text);
    this.changes.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.known.get(uri.path) ?? '';
  }

  dispose(): void {
    this.registered.dispose();
    this.changes.dispose();
  }
}
