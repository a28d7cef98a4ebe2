/** How an ask is shown and answered. It never takes the focus by itself. */
import * as vscode from 'vscode';
import { answerFor, brief, fitted, title, whole, type Asks } from './asks';
import { say } from './decide';
import type { Guard } from './guard';
import type { Ask, AskAnswer, AskOption } from './protocol';
import { isLasting, rules } from './rulebox';
import { plain } from './words';

const MORE = 'More…';
const LATER = 'Decide Later';
const ALWAYS = 'Always Allow…';
const REJECT_WHY = 'Reject and Say Why…';
/** Of what a dialog cannot hold. */
const AS_TEXT = 'Open as Text';

/** What became of a dialog: an answer, none for now, or the dialog is to be shown once more. */
type Outcome = AskAnswer | 'later' | 'again';

export class AskUi {
  /** Dialogs so far: one that the user has opened since leaves those before it. */
  private opened = 0;
  /** Dialogs that open by themselves do so one after the other, or a double click would answer two. */
  private turn = Promise.resolve();
  /** Whether an ask has been there long enough to have been seen. */
  private readonly seen = new Map<string, () => boolean>();

  constructor(
    private readonly asks: Asks,
    private readonly guard: Guard,
    private readonly showText: (title: string, text: string) => Promise<void>,
  ) {}

  /** Handler of `redline/permission`. */
  async ask(ask: Ask): Promise<AskAnswer | null> {
    const { askId } = ask;
    this.seen.set(askId, this.guard.appears());
    const answer = this.asks.add(ask);
    const modal = vscode.workspace.getConfiguration('redline').get<string>('asks') === 'modal';
    if (modal) this.turn = this.turn.then(() => (this.asks.get(askId) ? this.dialog(askId) : undefined));
    else void this.notify(ask);
    const answered = await answer;
    this.seen.delete(askId);
    return answered;
  }

  /** Shows an ask whole, to be answered. */
  async dialog(askId: string): Promise<void> {
    this.opened += 1;
    const own = this.opened;
    let outcome: Outcome = 'again';
    while (outcome === 'again' && own === this.opened) {
      const ask = this.asks.get(askId);
      if (!ask) {
        this.late(askId);
        return;
      }
      outcome = await this.decide(ask);
    }
    if (typeof outcome === 'object') this.reply(askId, outcome);
  }

  /** Answers by the option of that id; an ask that has other options is shown. */
  async choose(askId: string, option: AskOption['id']): Promise<void> {
    const found = this.asks.get(askId)?.options.find(({ id }) => id === option);
    if (!found) return this.dialog(askId);
    // It may have come under the pointer just now.
    if (this.seen.get(askId)?.() === false) say('that ask has only just come: nothing was answered');
    else this.reply(askId, answerFor(found));
  }

  private async notify(ask: Ask): Promise<void> {
    // What covers more than this call is read before it is chosen.
    const offered = ask.options.filter((option) => !isLasting(option));
    const labels = [...offered.map(({ label }) => label), MORE];
    const picked = await this.guard.ask(() => vscode.window.showWarningMessage(plain(brief(ask)), ...labels));
    // Closed: it goes on waiting, in the tree and in the status bar.
    if (picked === undefined) return;
    if (picked === MORE) return this.dialog(ask.askId);
    const option = offered.find(({ label }) => label === picked);
    if (option) this.reply(ask.askId, answerFor(option));
  }

  /** Puts the dialog once, with what follows from its buttons. */
  private async decide(ask: Ask): Promise<Outcome> {
    const { text, isCut } = fitted(ask);
    const place = this.asks.place(ask.askId);
    const heading = `${title(ask)}${place === '' ? '' : ` (${place})`}`;
    const buttons = [...labels(ask), ...(isCut ? [AS_TEXT] : [])];
    // A dialog that Esc closed before it was read has not been seen.
    const show = async (): Promise<string> => (await vscode.window.showWarningMessage(heading, { modal: true, detail: text }, ...buttons)) ?? LATER;
    const picked = await this.guard.ask(show);
    switch (picked) {
      case undefined:
      case LATER: return 'later';
      case AS_TEXT: return this.showText(title(ask), whole(ask)).then(() => 'later' as const);
      case ALWAYS: return (await rules(ask, this.guard)) ?? 'again';
      case REJECT_WHY: return (await this.rejectWhy()) ?? 'again';
    }
    const option = ask.options.find(({ label }) => label === picked);
    return option ? answerFor(option) : 'later';
  }

  private async rejectWhy(): Promise<AskAnswer | undefined> {
    const comment = await this.guard.ask(() =>
      vscode.window.showInputBox({ title: 'Reject', prompt: 'What should the agent do instead?', ignoreFocusOut: true }),
    );
    return comment === undefined ? undefined : answerFor({ id: 'reject', label: '' }, comment);
  }

  private reply(askId: string, answer: AskAnswer): void {
    if (!this.asks.answer(askId, answer)) this.late(askId);
  }

  private late(askId: string): void {
    void vscode.window.showInformationMessage(`Redline: too late, nothing was answered: ${plain(this.asks.why(askId))}.`);
  }
}

/** The buttons. The first has the focus: Enter must not allow anything. What adds a rule is one step further, with the rule. */
function labels({ options }: Ask): string[] {
  const offered = options.map((option) => (isLasting(option) ? ALWAYS : option.label));
  return [...new Set([LATER, ...offered, REJECT_WHY])];
}
