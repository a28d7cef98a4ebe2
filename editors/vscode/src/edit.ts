/** Editing the proposed text before it is accepted, in its own thread. */
import * as vscode from 'vscode';
import { say, type Decide } from './decide';
import { lines } from './place';
import type { Hunk } from './protocol';
import type { Review } from './review';
import { isOpen, type Item, type Store } from './store';
import type { Proposal } from './threads';

export class Edit {
  /** What was shown when editing began, by hunk. */
  private readonly begun = new Map<string, Item>();

  constructor(
    private readonly store: Store,
    private readonly review: Review,
    private readonly decide: Decide,
  ) {}

  start(item: Item): void {
    const target = { key: item.key, id: item.hunk.id };
    if (item.hunk.state !== 'pending') {
      say('only a pending change can be edited');
      return;
    }
    this.review.setCurrent(target);
    if (this.review.threads.edit(target, lines(item.hunk.newText).join('\n'))) {
      this.begun.set(item.hunk.id, item);
      return;
    }
    const text = 'Redline: a change is edited in its comment thread; comments are hidden (setting "comments.visible").';
    void vscode.window.showWarningMessage(text);
  }

  cancel(comment: Proposal): void {
    this.begun.delete(comment.target.id);
    this.review.threads.endEdit(comment.target);
  }

  /** Accepts the text as it was edited. If that fails, it stays to be seen. */
  async save(comment: Proposal): Promise<void> {
    const { target } = comment;
    const before = this.begun.get(target.id);
    const now = this.store.item(target.key, target.id);
    if (!before || !now || !isOpen(now.hunk) || !this.decide.areAsSeen([before])) {
      void vscode.window.showWarningMessage('Redline: the change is not what it was when you began to edit; nothing was accepted.');
      return;
    }
    const typed = typeof comment.body === 'string' ? comment.body : comment.body.value;
    this.review.threads.submitted(target, true);
    const done = await this.decide.items([now], 'accept', { finalText: finalText(typed, now.hunk) });
    this.review.threads.submitted(target, false);
    if (done) this.cancel(comment);
  }
}

/** Edited lines as text with the hunk's own line ends. Pure. */
export function finalText(typed: string, hunk: Hunk): string {
  const model = hunk.newText === '' ? hunk.oldText : hunk.newText;
  const eol = model.includes('\r\n') ? '\r\n' : '\n';
  if (typed === '' && hunk.newText !== eol) return '';
  const text = typed.split(/\r\n|\n/).join(eol);
  return text.endsWith(eol) || !model.endsWith('\n') ? text : text + eol;
}
