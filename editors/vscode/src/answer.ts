/** What waits for the user to say yes or no: asks, and questions of trust. */
import * as vscode from 'vscode';
import type { AskUi } from './ask';
import { title, what, type Asks } from './asks';
import { say } from './decide';
import { heading, type TrustUi, type Trusts } from './trust';
import { plain } from './words';

interface Choice extends vscode.QuickPickItem {
  show: () => Promise<void>;
}

export class Answer {
  constructor(
    private readonly askUi: AskUi,
    private readonly asks: Asks,
    private readonly trustUi: TrustUi,
    private readonly trusts: Trusts,
  ) {}

  /** Shows the question of that id, the only one, or one that the user chooses. */
  async start(id?: string): Promise<void> {
    if (id !== undefined) return this.trusts.get(id) ? this.trustUi.show(id) : this.askUi.dialog(id);
    const all = this.choices();
    if (all.length === 0) say('nothing asks for permission');
    const picked = all.length > 1 ? await vscode.window.showQuickPick(all, { title: 'Redline asks' }) : all[0];
    await picked?.show();
  }

  private choices(): Choice[] {
    const asks = this.asks.all().map((ask) => ({
      label: `$(question) ${plain(title(ask))}`,
      detail: plain(what(ask).split('\n')[0] ?? ''),
      show: () => this.askUi.dialog(ask.askId),
    }));
    const trusts = this.trusts.all().map((question) => ({
      label: `$(shield) ${plain(heading(question))}`,
      detail: plain(question.files.join(', ')),
      show: () => this.trustUi.show(question.trustId),
    }));
    return [...asks, ...trusts];
  }
}
