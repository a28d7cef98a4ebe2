/** Comment threads that show the proposed text under the old lines. */
import * as vscode from 'vscode';
import type { ThreadPlan } from './layout';
import { hasIcons } from './words';

/** A hunk, by its file and id. */
export interface Target {
  key: string;
  id: string;
}

interface Shown {
  thread: vscode.CommentThread;
  plan: ThreadPlan;
  editing: boolean;
  submitted?: boolean;
}

/** The comment that a thread shows; the editor hands it back to commands. */
export interface Proposal extends vscode.Comment {
  target: Target;
}

const HINT = 'Reject, and tell the agent what to change…';

export class Threads implements vscode.Disposable {
  private readonly controller = vscode.comments.createCommentController('redline', 'Redline');
  private readonly documents = new Map<string, Map<string, Shown>>();
  private readonly targets = new WeakMap<vscode.CommentThread, Target>();

  /** `lost` is told when a change vanished while the user was editing it. */
  constructor(private readonly lost: () => void = () => undefined) {
    // No commenting range provider: the user gets no "+" in the gutter.
    this.controller.options = { prompt: HINT, placeHolder: HINT };
  }

  /**
   * Makes the threads of a file's document those of the plans, touching only what differs. Returns
   * the lines where threads came or went: the view jumps if they are above it.
   */
  sync(uri: vscode.Uri, key: string, plans: readonly ThreadPlan[]): number[] {
    const shown = this.documents.get(uri.toString()) ?? new Map<string, Shown>();
    const moved: number[] = [];
    const wanted = new Set(plans.map((plan) => plan.id));
    for (const [id, entry] of shown) {
      if (wanted.has(id)) continue;
      moved.push(entry.plan.line);
      if (entry.editing && !(entry.submitted ?? false)) this.lost();
      entry.thread.dispose();
      shown.delete(id);
    }
    for (const plan of plans) {
      const entry = shown.get(plan.id);
      // The text was replaced under it: the editor moved the thread along, and would not move it back.
      if (entry && plan.context === 'conflict' && entry.plan.context !== 'conflict' && !entry.editing) {
        entry.thread.dispose();
        shown.set(plan.id, this.create(uri, { key, id: plan.id }, plan));
      } else if (entry) {
        this.update(entry, plan);
      } else {
        moved.push(plan.line);
        shown.set(plan.id, this.create(uri, { key, id: plan.id }, plan));
      }
    }
    if (shown.size > 0) this.documents.set(uri.toString(), shown);
    else this.documents.delete(uri.toString());
    return moved;
  }

  /** The hunk that a thread shows. */
  target(thread: vscode.CommentThread): Target | undefined {
    return this.targets.get(thread);
  }

  /** Shows a text in the thread to be edited. False if the hunk has no thread. */
  edit(target: Target, text: string): boolean {
    const entry = this.find(target);
    if (!entry) return false;
    entry.editing = true;
    entry.thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    const comment = proposal(target, entry.plan, text);
    entry.thread.comments = [{ ...comment, mode: vscode.CommentMode.Editing, contextValue: 'editing' }];
    return true;
  }

  /** The edited text is on its way: that the change goes now is no loss. */
  submitted(target: Target, isSubmitted: boolean): void {
    const entry = this.find(target);
    if (entry) entry.submitted = isSubmitted;
  }

  /** Ends editing: the thread shows the proposal again. */
  endEdit(target: Target): void {
    const entry = this.find(target);
    if (!entry?.editing) return;
    entry.editing = false;
    entry.thread.comments = [proposal(target, entry.plan)];
  }

  expand(target: Target): void {
    const entry = this.find(target);
    if (entry) entry.thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
  }

  /** VS Code colours the code of a comment once, for the theme of that moment. */
  recolor(): void {
    const entries = [...this.documents.values()].flatMap((shown) => [...shown.values()]);
    for (const { thread, plan, editing } of entries) {
      const target = this.targets.get(thread);
      if (target && !editing) thread.comments = [proposal(target, plan)];
    }
  }

  private find({ key, id }: Target): Shown | undefined {
    const all = [...this.documents.values()].map((shown) => shown.get(id));
    return all.find((entry) => entry && this.targets.get(entry.thread)?.key === key);
  }

  private create(uri: vscode.Uri, target: Target, plan: ThreadPlan): Shown {
    const thread = this.controller.createCommentThread(uri, lineRange(plan.line), [proposal(target, plan)]);
    thread.label = plan.label;
    thread.contextValue = plan.context;
    thread.canReply = true;
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    this.targets.set(thread, target);
    return { thread, plan, editing: false };
  }

  private update(entry: Shown, plan: ThreadPlan): void {
    const { thread, plan: before } = entry;
    entry.plan = plan;
    if (plan.line !== before.line) thread.range = lineRange(plan.line);
    if (plan.label !== before.label) thread.label = plan.label;
    if (plan.context !== before.context) thread.contextValue = plan.context;
    const target = this.targets.get(thread);
    const same = plan.body === before.body && plan.author === before.author;
    if (!same && !entry.editing && target) thread.comments = [proposal(target, plan)];
  }

  dispose(): void {
    this.controller.dispose();
    this.documents.clear();
  }
}

/** One line: a longer range would tint the old lines in the colour of comments. */
const lineRange = (line: number): vscode.Range => new vscode.Range(line, 0, line, 0);

function proposal(target: Target, plan: ThreadPlan, text?: string): Proposal {
  const body = text ?? new vscode.MarkdownString(plan.body, hasIcons(plan.body));
  return { author: { name: plan.author }, body, mode: vscode.CommentMode.Preview, contextValue: 'proposal', target };
}
