/** How an ask is shown and answered. It never takes the focus by itself. */
import * as vscode from 'vscode';
import { answerFor, brief, title, whole, type Asks } from './asks';
import type { Ask, AskAnswer, AskOption } from './protocol';
import { plain } from './words';

const MORE = 'More…';
const LATER = 'Decide Later';
const REJECT_WHY = 'Reject and Say Why…';
const AS_TEXT = 'Open as Text';
/** A dialog that would not fit on the screen offers the whole as a text. */
const DIALOG_LINES = 24;

export class AskUi {
  constructor(
    private readonly asks: Asks,
    private readonly showText: (title: string, text: string) => Promise<void>,
  ) {}

  /** Handler of `redline/permission`. */
  ask(ask: Ask): Promise<AskAnswer | null> {
    const answer = this.asks.add(ask);
    const modal = vscode.workspace.getConfiguration('redline').get<string>('asks') === 'modal';
    void (modal ? this.modal(ask.askId) : this.notify(ask));
    return answer;
  }

  /** The user wants to answer: the ask of that id, the only one, or one of several. */
  async answer(askId?: string): Promise<void> {
    const waiting = this.asks.all();
    if (askId !== undefined) return this.modal(askId);
    if (waiting.length === 0) {
      void vscode.window.showInformationMessage('Redline: nothing asks for permission.');
      return;
    }
    const items = waiting.map((ask) => ({ label: plain(title(ask)), detail: plain(whole(ask).split('\n')[0] ?? ''), ask }));
    const picked = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { title: 'Redline asks' });
    if (picked) await this.modal(picked.ask.askId);
  }

  /** Answers by the option of that id; an ask that has other options is shown. */
  async choose(askId: string, option: AskOption['id']): Promise<void> {
    const found = this.asks.get(askId)?.options.find(({ id }) => id === option);
    if (!found) return this.modal(askId);
    this.reply(askId, answerFor(found));
  }

  private async notify(ask: Ask): Promise<void> {
    // What covers more than this call is read before it is chosen.
    const offered = ask.options.filter(({ covers }) => covers === undefined);
    const labels = [...offered.map(({ label }) => label), MORE];
    const picked = await vscode.window.showWarningMessage(plain(brief(ask)), ...labels);
    // Closed: it goes on waiting, in the tree and in the status bar.
    if (picked === undefined) return;
    if (picked === MORE) return this.modal(ask.askId);
    const option = offered.find(({ label }) => label === picked);
    if (option) this.reply(ask.askId, answerFor(option));
  }

  private async modal(askId: string): Promise<void> {
    const ask = this.asks.get(askId);
    if (!ask) {
      this.late(askId);
      return;
    }
    const detail = whole(ask);
    const long = detail.split('\n').length > DIALOG_LINES || detail.length > 2_000;
    const text = long ? `${detail.split('\n').slice(0, DIALOG_LINES).join('\n').slice(0, 2_000)}\n…` : detail;
    // The first button has the focus: Enter must not allow anything.
    const buttons = [LATER, ...ask.options.map(({ label }) => label), REJECT_WHY, ...(long ? [AS_TEXT] : [])];
    const picked = await vscode.window.showWarningMessage(title(ask), { modal: true, detail: text }, ...buttons);
    if (picked === undefined || picked === LATER) return;
    if (picked === AS_TEXT) return this.showText(title(ask), detail);
    if (picked === REJECT_WHY) return this.rejectWhy(askId);
    const option = ask.options.find(({ label }) => label === picked);
    if (option) this.reply(askId, answerFor(option));
  }

  private async rejectWhy(askId: string): Promise<void> {
    const comment = await vscode.window.showInputBox({
      title: 'Reject',
      prompt: 'What should the agent do instead?',
      ignoreFocusOut: true,
    });
    if (comment === undefined) return;
    this.reply(askId, answerFor({ id: 'reject', label: '' }, comment));
  }

  private reply(askId: string, answer: AskAnswer): void {
    if (!this.asks.answer(askId, answer)) this.late(askId);
  }

  private late(askId: string): void {
    void vscode.window.showInformationMessage(`Redline: too late, nothing was answered: ${plain(this.asks.why(askId))}.`);
  }
}
