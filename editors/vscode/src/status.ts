/** The item in the status bar: what runs, what waits. */
import * as vscode from 'vscode';
import type { Asks } from './asks';
import type { Store } from './store';
import type { Trusts } from './trust';
import type { Turns } from './turns';
import { counted, plain } from './words';

/** What the item says. Pure. */
export interface Said {
  text: string;
  tooltip: string;
  command: string;
  warns: boolean;
}

export function say(
  running: boolean,
  doing: { what: string; ms: number } | undefined,
  hunks: number,
  files: number,
  asks: number,
  trusts = 0,
): Said {
  const waits = hunks > 0 ? `${counted(hunks, 'change')} to review in ${counted(files, 'file')}` : '';
  if (asks > 0) {
    const text = `$(question) Redline asks${asks > 1 ? ` (${String(asks)})` : ''}`;
    return { text, tooltip: 'A permission is needed: click to answer', command: 'redline.answerAsk', warns: true };
  }
  // Nothing stands still for it: it says so without a warning.
  if (trusts > 0) {
    const tooltip = 'The rules of a folder want to be trusted: click to answer';
    return { text: '$(shield) Redline: trust?', tooltip, command: 'redline.answerAsk', warns: false };
  }
  if (doing) {
    const seconds = Math.floor(doing.ms / 1000);
    const time = seconds > 0 ? ` ${String(seconds)} s` : '';
    const what = doing.what.split('\n')[0] ?? '';
    const short = plain(what.length > 32 ? `${what.slice(0, 32)}…` : what);
    const text = `$(sync~spin) Redline: ${short}${time}${hunks > 0 ? ` · ${String(hunks)} to review` : ''}`;
    return { text, tooltip: [`${what} (click: what was done)`, waits].filter(Boolean).join('\n'), command: 'redline.showTranscript', warns: false };
  }
  if (hunks > 0) {
    return { text: `$(diff) Redline: ${String(hunks)} to review`, tooltip: `${waits}: click to go to the next`, command: 'redline.next', warns: false };
  }
  return running
    ? { text: '$(pass) Redline', tooltip: 'Nothing to review: click to ask the agent', command: 'redline.prompt', warns: false }
    : { text: '$(circle-slash) Redline', tooltip: 'The server does not run: click to start it', command: 'redline.restart', warns: false };
}

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('redline.status', vscode.StatusBarAlignment.Left, 20);
  private clock: NodeJS.Timeout | undefined;
  private shown = '';

  constructor(
    private readonly store: Store,
    private readonly asks: Asks,
    private readonly trusts: Trusts,
    private readonly turns: Turns,
    private readonly running: () => boolean,
  ) {
    this.item.name = 'Redline';
    this.update();
    this.item.show();
  }

  update(): void {
    const { hunks, files } = this.store.count();
    const doing = this.turns.doing();
    const said = say(this.running(), doing, hunks, files, this.asks.all().length, this.trusts.all().length);
    this.tick(doing !== undefined);
    if (JSON.stringify(said) === this.shown) return;
    this.shown = JSON.stringify(said);
    this.item.text = said.text;
    this.item.tooltip = said.tooltip;
    this.item.command = said.command;
    this.item.backgroundColor = said.warns ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  }

  /** Seconds count only while something runs. */
  private tick(on: boolean): void {
    if (on === (this.clock !== undefined)) return;
    clearInterval(this.clock);
    this.clock = on ? setInterval(() => { this.update(); }, 1000) : undefined;
  }

  dispose(): void {
    clearInterval(this.clock);
    this.item.dispose();
  }
}
