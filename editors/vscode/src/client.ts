/** The language client: how the server is started, what is declared, what happens when it ends. */
import * as fs from 'node:fs';
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  TransportKind,
  type LanguageClientOptions,
  type ServerOptions,
} from 'vscode-languageclient/node';
import type { App } from './app';
import { applyEdit } from './apply';
import { findServer } from './bootstrap';
import { reason } from './peer';
import { changeReason, declared } from './protocol';
import { AMP, serverSettings } from './settings';
import { tellReason } from './undo';

/** So many ends in so short a time are no accident. */
const CRASHES = 4;
const CRASH_WINDOW_MS = 3 * 60_000;

/** What goes wrong is written to the log by the library, and told to the user once, by us. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export class Client implements vscode.Disposable {
  private readonly output = vscode.window.createOutputChannel('Redline', { log: true });
  private readonly registered: vscode.Disposable;
  private client: LanguageClient | undefined;
  private ends: number[] = [];
  private told = false;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly app: () => App,
  ) {
    this.registered = vscode.Disposable.from(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('redline.server')) void this.restart();
        else if (event.affectsConfiguration('redline') || event.affectsConfiguration(AMP)) void this.tellSettings();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => { void this.tellSettings(); }),
    );
  }

  async start(): Promise<void> {
    const found = findServer({
      setting: vscode.workspace.getConfiguration('redline').get('server.path', ''),
      env: process.env,
      extension: this.context.extensionPath,
      windows: process.platform === 'win32',
      exists: (file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false,
    });
    if ('missing' in found) {
      this.output.error(found.missing);
      if (!this.told) await this.tellMissing(found.missing);
      return;
    }
    this.output.info(`server: ${found.command}`);
    const client = this.create(found.command);
    this.client = client;
    this.app().listen(client);
    client.onDidChangeState(({ oldState, newState }) => {
      if (this.client !== client) return;
      if (newState === State.Running) void this.app().connected(client);
      else this.app().disconnected();
      if (newState === State.Stopped && oldState === State.Running) this.ended();
    });
    try {
      const starting = client.start();
      this.app().server.comes(starting);
      await starting;
    } catch (error) {
      this.output.error(`start: ${reason(error)}`);
      this.ended();
    }
  }

  async restart(): Promise<void> {
    this.told = false;
    this.ends = [];
    await this.stop();
    await this.start();
  }

  showLog(): void {
    this.output.show(true);
  }

  /** There is no server: says so again, as the user has just asked for something. */
  missing(): void {
    this.told = false;
    void this.tellEnded('the server does not run');
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.app().disconnected();
    try {
      await client?.dispose();
    } catch {
      // It had never started, or is gone already.
    }
  }

  private create(command: string): LanguageClient {
    // TransportKind.stdio says --stdio itself.
    const server: ServerOptions = { command, args: ['lsp'], transport: TransportKind.stdio };
    const client: LanguageClient = new QuietClient('redline', 'Redline', server, this.options(() => client));
    client.registerFeature({
      fillClientCapabilities: (capabilities) => {
        capabilities.experimental = { ...(capabilities.experimental as object | undefined), redline: declared };
        // Our own item in the status bar says it.
        capabilities.window = { ...capabilities.window, workDoneProgress: false };
      },
      initialize: () => undefined,
      getState: () => ({ kind: 'static' }),
      clear: () => undefined,
    });
    return client;
  }

  private options(client: () => LanguageClient): LanguageClientOptions {
    return {
      documentSelector: [{ scheme: 'file' }],
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: () => ({ redline: serverSettings() }),
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        // Starting it again is up to us: see `ended`.
        closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
      },
      middleware: {
        didChange: (event, next) => tellReason((params) => client().sendNotification(changeReason, params), event, next),
        workspace: {
          handleApplyEdit: (params) => applyEdit(params, this.app().view),
          configuration: ({ items }) =>
            items.map(({ section }): unknown => (section === 'redline' ? serverSettings() : null)),
        },
      },
    };
  }

  /** It ended without being asked to: it is started again, unless that happens all the time. */
  private ended(): void {
    const now = Date.now();
    this.ends = [...this.ends.filter((end) => now - end < CRASH_WINDOW_MS), now];
    if (this.ends.length >= CRASHES) {
      void this.tellEnded(`the server ended ${String(CRASHES)} times within three minutes`);
      return;
    }
    this.output.warn('the server ended; it is started again');
    void this.stop().then(() => this.start());
  }

  private async tellSettings(): Promise<void> {
    if (this.client?.state !== State.Running) return;
    const settings = { redline: serverSettings() };
    await this.client.sendNotification('workspace/didChangeConfiguration', { settings });
  }

  private async tellMissing(text: string): Promise<void> {
    this.told = true;
    const [settings, install] = ['Open Settings', 'How to Install'];
    const picked = await vscode.window.showErrorMessage(`Redline: ${text}`, settings, install);
    if (picked === settings) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'redline.server.path');
    } else if (picked === install) {
      const readme = vscode.Uri.joinPath(this.context.extensionUri, 'README.md');
      await vscode.commands.executeCommand('markdown.showPreview', readme);
    }
  }

  private async tellEnded(text: string): Promise<void> {
    if (this.told) return;
    this.told = true;
    const [restart, log] = ['Start It', 'Show Log'];
    const picked = await vscode.window.showErrorMessage(`Redline: ${text}.`, restart, log);
    this.told = false;
    if (picked === restart) await this.restart();
    else if (picked === log) this.showLog();
  }

  dispose(): void {
    this.registered.dispose();
    this.output.dispose();
  }
}
