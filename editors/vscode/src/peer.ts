/** The other end of the wire. A LanguageClient is one, and so is a bare JSON-RPC connection. */
import * as vscode from 'vscode';
import * as wire from './protocol';
import { plain } from './words';

export interface Peer {
  sendRequest<R>(method: string, params: unknown): Promise<R>;
  sendNotification(method: string, params: unknown): Promise<void>;
}

/** What arrives from the server. */
export interface Incoming {
  receive(params: wire.Review): void;
  withdrawn(params: wire.PermissionWithdrawn): void;
  threadEvent(params: wire.ThreadEvent): void;
  permission(params: wire.Ask): Promise<wire.AskAnswer | null>;
  trust(params: wire.TrustParams): Promise<wire.TrustResult | null>;
  question(params: wire.QuestionParams, token?: vscode.CancellationToken): Promise<wire.QuestionResult | null>;
  save(params: wire.SaveParams): Promise<wire.SaveResult>;
  open(params: wire.OpenParams): Promise<null>;
  format(params: wire.FormatParams): Promise<wire.FormatResult>;
}

/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters -- the shape of the libraries' own overloads */
/** Where handlers are registered, before the connection is there. */
export interface Registry {
  onRequest<P, R>(method: string, handler: (params: P, token: vscode.CancellationToken) => R | Promise<R>): unknown;
  onNotification<P>(method: string, handler: (params: P) => void): unknown;
}
/* eslint-enable */

/** Every method that the server may call, each with its handler. */
export function listen(registry: Registry, to: Incoming): void {
  registry.onNotification(wire.review, (params: wire.Review) => { to.receive(params); });
  registry.onNotification(wire.permissionWithdrawn, (params: wire.PermissionWithdrawn) => { to.withdrawn(params); });
  registry.onNotification(wire.threadEvent, (params: wire.ThreadEvent) => { to.threadEvent(params); });
  registry.onRequest(wire.permission, (params: wire.Ask) => to.permission(params));
  registry.onRequest(wire.trust, (params: wire.TrustParams) => to.trust(params));
  registry.onRequest(wire.question, (params: wire.QuestionParams, token) => to.question(params, token));
  registry.onRequest(wire.save, (params: wire.SaveParams) => to.save(params));
  registry.onRequest(wire.open, (params: wire.OpenParams) => to.open(params));
  registry.onRequest(wire.format, (params: wire.FormatParams) => to.format(params));
}

/** Requests to the server whose failure the user hears of. */
export class Server {
  private peer: Peer | undefined;
  private starting: Promise<unknown> | undefined;

  /** `missing` explains that there is no server. */
  constructor(private readonly missing: () => void) {}

  get running(): boolean {
    return this.peer !== undefined;
  }

  use(peer: Peer | undefined): void {
    this.peer = peer;
  }

  /** A server is being started: what the user wants of it waits for it. */
  comes(starting: Promise<unknown>): void {
    this.starting = starting;
    const over = (): void => {
      if (this.starting === starting) this.starting = undefined;
    };
    starting.then(over, over);
  }

  /** `undefined`: it failed, and the user was told why. */
  async request<R>(method: string, params: unknown): Promise<R | undefined> {
    await this.starting?.catch(() => undefined);
    if (!this.peer) {
      this.missing();
      return undefined;
    }
    try {
      return await this.peer.sendRequest<R>(method, params);
    } catch (error) {
      void tellFailed(reason(error));
      return undefined;
    }
  }

  /** A command of the server's, as `request`. */
  command<R>(command: string, ...given: unknown[]): Promise<R | undefined> {
    return this.request<R>('workspace/executeCommand', { command, arguments: given });
  }

  /** As `request`, for what the user did not ask for: a failure is only `undefined`. */
  async quietly<R>(method: string, params: unknown): Promise<R | undefined> {
    try {
      return await this.peer?.sendRequest<R>(method, params);
    } catch {
      return undefined;
    }
  }
}

async function tellFailed(text: string): Promise<void> {
  const settings = text.includes('redline.') ? ['Open Settings'] : [];
  const picked = await vscode.window.showErrorMessage(`Redline: ${plain(text)}`, ...settings, 'Show Log');
  if (picked === 'Show Log') await vscode.commands.executeCommand('redline.showLog');
  else if (picked !== undefined) await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:redline.redline');
}

export const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
