/** `redline/trust`: whether the rules that a folder brings along shall count. It never takes the focus by itself. */
import * as vscode from 'vscode';
import type { Guard } from './guard';
import type { Server } from './peer';
import type { TrustParams, TrustResult } from './protocol';
import type { Texts } from './texts';
import { Waiting } from './waiting';
import { listed, plain } from './words';

const SHOW = 'Show';
const TRUST = 'Trust';
const NOT_NOW = 'Not Now';

export class Trusts extends Waiting<TrustParams, TrustResult> {
  constructor(changed?: () => void) {
    super(({ trustId }) => trustId, changed);
  }
}

export class TrustUi {
  constructor(
    private readonly server: Server,
    private readonly trusts: Trusts,
    private readonly guard: Guard,
    private readonly texts: Texts,
  ) {}

  /** Handler of `redline/trust`. */
  ask(question: TrustParams): Promise<TrustResult | null> {
    const answer = this.trusts.add(question);
    void this.show(question.trustId);
    return answer;
  }

  /** Puts the question. Closed, it goes on waiting, in the tree and in the status bar. */
  async show(trustId: string): Promise<void> {
    const question = this.trusts.get(trustId);
    if (!question) {
      this.late(trustId);
      return;
    }
    const picked = await this.guard.ask(() => vscode.window.showInformationMessage(plain(brief(question)), SHOW, TRUST, NOT_NOW));
    if (picked === SHOW) {
      await this.texts.show(heading(question).replace('?', ''), question.text);
      await this.show(trustId);
    } else if (picked !== undefined && !this.trusts.answer(trustId, picked === TRUST ? { trust: true } : null)) {
      this.late(trustId);
    }
  }

  /** The user wants to be asked again. */
  async again(): Promise<void> {
    const [waiting] = this.trusts.all();
    if (waiting) return this.show(waiting.trustId);
    if (vscode.workspace.isTrusted) {
      await this.server.command('redline.trust');
      return;
    }
    const text = 'Redline: this window does not trust its folder, so the rules of the folder can only forbid.';
    const picked = await vscode.window.showInformationMessage(text, 'Manage Workspace Trust');
    if (picked !== undefined) await vscode.commands.executeCommand('workbench.trust.manage');
  }

  private late(trustId: string): void {
    void vscode.window.showInformationMessage(`Redline: too late, nothing was trusted: ${plain(this.trusts.why(trustId))}.`);
  }
}

/** "Trust the rules of project?" */
export const heading = ({ folder }: TrustParams): string =>
  `Trust the rules of ${folder.split(/[/\\]/).filter(Boolean).at(-1) ?? folder}?`;

/** What it is about, as a sentence or two. */
export function brief(question: TrustParams): string {
  const { files, changed } = question;
  const several = files.length > 1;
  const name = heading(question).slice('Trust the rules of '.length, -1);
  const them = `${listed(files)} of “${name}”`;
  return changed
    ? `Redline: ${them} changed since you trusted ${several ? 'them' : 'it'}. Until you trust ${several ? 'them' : 'it'} again, the rules there can only forbid.`
    : `Redline: ${them} ${several ? 'have' : 'has'} rules of ${several ? 'their' : 'its'} own. Until you trust them they can only forbid.`;
}
