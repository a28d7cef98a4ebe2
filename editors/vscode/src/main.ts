import * as vscode from 'vscode';
import { App } from './app';
import { Client } from './client';
import { registerCommands } from './commands';
import { demo } from './demo';

let client: Client | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const started: Client = new Client(context, () => app);
  const app: App = new App(context.extensionUri, () => { started.missing(); });
  client = started;
  context.subscriptions.push(app, started, registerCommands(app, started));
  // Without a folder there is nothing to work on until the user asks for it.
  if (!vscode.workspace.workspaceFolders?.length) return;
  // Not awaited: commands can be given at once, and wait for the server by themselves.
  void started.start().then(() => (app.server.running ? demo(app) : undefined));
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
