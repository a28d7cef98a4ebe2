/** Everything but the language client: what arrives goes to its part, what changes is shown. */
import * as vscode from 'vscode';
import { Answer } from './answer';
import { open, format, save } from './apply';
import { AskUi } from './ask';
import { Asks } from './asks';
import { Contexts } from './contexts';
import { Decide } from './decide';
import { Edit } from './edit';
import { Grants } from './grants';
import { Guard } from './guard';
import { Navigate } from './navigate';
import { Server, listen, type Incoming, type Peer, type Registry } from './peer';
import { Prompt } from './prompt';
import * as wire from './protocol';
import { askQuestions } from './question';
import { Review } from './review';
import { Rewind } from './rewind';
import { Status } from './status';
import { Store } from './store';
import { Texts } from './texts';
import { Transcript } from './transcript';
import { Tree } from './tree';
import { TrustUi, Trusts } from './trust';
import { Turns } from './turns';
import { View } from './view';
import { Virtual, keyOf } from './virtual';

export class App implements Incoming, vscode.Disposable {
  readonly store = new Store((key) => { this.reviewed(key); });
  readonly asks = new Asks(() => { this.counted(); });
  readonly trusts = new Trusts(() => { this.counted(); });
  readonly turns = new Turns(() => { this.status.update(); this.contexts.update(); });
  readonly view = new View();
  readonly transcript = new Transcript();
  readonly server: Server;
  readonly virtual: Virtual;
  readonly review: Review;
  readonly decide: Decide;
  readonly navigate: Navigate;
  readonly edit: Edit;
  readonly texts = new Texts();
  readonly askUi: AskUi;
  readonly trustUi: TrustUi;
  readonly answer: Answer;
  readonly grants: Grants;
  readonly prompt: Prompt;
  readonly rewind: Rewind;
  readonly tree: Tree;
  readonly status: Status;
  readonly contexts: Contexts;
  private readonly registered: vscode.Disposable;

  /** `missing` says that there is no server, and what to do; `guard` knows what has been read. */
  constructor(extension: vscode.Uri, missing: () => void, guard = new Guard()) {
    this.server = new Server(missing);
    this.virtual = new Virtual(this.server, this.store);
    this.review = new Review(extension, this.store, this.virtual, this.view);
    this.decide = new Decide(this.server, this.store);
    this.navigate = new Navigate(this.store, this.virtual, this.review, this.view);
    this.edit = new Edit(this.store, this.review, this.decide);
    this.askUi = new AskUi(this.asks, guard, (title, text) => this.texts.show(title, text));
    this.trustUi = new TrustUi(this.server, this.trusts, guard, this.texts);
    this.answer = new Answer(this.askUi, this.asks, this.trustUi, this.trusts);
    this.grants = new Grants(this.server);
    this.prompt = new Prompt(this.server, this.store, this.turns, this.transcript);
    this.rewind = new Rewind(this.server, this.store, this.turns, this.decide);
    this.tree = new Tree(this.store, this.asks, this.trusts, this.virtual);
    this.status = new Status(this.store, this.asks, this.trusts, this.turns, () => this.server.running);
    this.contexts = new Contexts(this.store, this.asks, this.trusts, this.turns);
    this.registered = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const key = document.uri.scheme === 'file' ? keyOf(document.uri) : undefined;
      if (key !== undefined) this.store.edited(key, document.version, contentChanges);
      else this.review.shown(document);
    });
  }

  listen(registry: Registry): void {
    listen(registry, this);
  }

  /** A server is there: what it already knows of the folder is asked for. */
  async connected(peer: Peer): Promise<void> {
    this.server.use(peer);
    this.status.update();
    const known = await this.server.quietly<wire.ReviewsResult>(wire.reviews, {});
    for (const review of known?.files ?? []) this.receive(review);
  }

  /** Nothing of a server that ended may stay. */
  disconnected(): void {
    this.server.use(undefined);
    this.asks.clear();
    this.trusts.clear();
    this.turns.clear();
    this.store.clear();
    this.status.update();
  }

  receive(review: wire.Review): void {
    this.store.set(vscode.Uri.parse(review.uri).toString(), review);
  }

  /** An ask, or a question of trust: their ids are all different. */
  withdrawn({ askId, reason }: wire.PermissionWithdrawn): void {
    this.asks.withdraw(askId, reason);
    this.trusts.withdraw(askId, reason);
  }

  threadEvent(event: wire.ThreadEvent): void {
    this.prompt.event(event);
  }

  permission(ask: wire.Ask): Promise<wire.AskAnswer | null> {
    return this.askUi.ask(ask);
  }

  trust(params: wire.TrustParams): Promise<wire.TrustResult | null> {
    return this.trustUi.ask(params);
  }

  question(params: wire.QuestionParams, token?: vscode.CancellationToken): Promise<wire.QuestionResult | null> {
    return askQuestions(params, token);
  }

  save(params: wire.SaveParams): Promise<wire.SaveResult> {
    return save(params);
  }

  open(params: wire.OpenParams): Promise<null> {
    return open(params);
  }

  format(params: wire.FormatParams): Promise<wire.FormatResult> {
    return format(params);
  }

  private reviewed(key: string): void {
    void this.virtual.update(key);
    this.review.changed(key);
    this.counted();
  }

  private counted(): void {
    this.tree.update();
    this.status.update();
    this.contexts.update();
  }

  dispose(): void {
    this.registered.dispose();
    for (const part of [this.review, this.virtual, this.tree, this.status, this.contexts, this.view, this.transcript, this.texts]) {
      part.dispose();
    }
  }
}
