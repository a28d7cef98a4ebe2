/** Questions of the server that wait for the user. Nothing here is shown, and nothing is ever answered by default. */

interface Open<Q, A> {
  question: Q;
  done: (answer: A | null) => void;
}

export class Waiting<Q, A> {
  private readonly open = new Map<string, Open<Q, A>>();
  /** Why questions that ended without the user ended: for late clicks. */
  private readonly withdrawn = new Map<string, string>();

  constructor(
    private readonly idOf: (question: Q) => string,
    private readonly changed: () => void = () => undefined,
  ) {}

  /** Waits until the user answers; `null`: it was withdrawn. */
  async add(question: Q): Promise<A | null> {
    const id = this.idOf(question);
    const answer = new Promise<A | null>((done) => {
      this.open.get(id)?.done(null);
      this.open.set(id, { question, done });
    });
    this.changed();
    return answer;
  }

  /** False: it does not wait any more, nothing was answered. */
  answer(id: string, answer: A | null): boolean {
    return this.close(id, answer);
  }

  withdraw(id: string, reason: string): boolean {
    this.withdrawn.set(id, reason);
    return this.close(id, null);
  }

  /** Its server is gone. */
  clear(): void {
    for (const id of this.open.keys()) this.withdraw(id, 'the server ended');
  }

  get(id: string): Q | undefined {
    return this.open.get(id)?.question;
  }

  /** Why a question does not wait any more. */
  why(id: string): string {
    return this.withdrawn.get(id) ?? 'it was answered already';
  }

  /** The oldest first. */
  all(): Q[] {
    return [...this.open.values()].map(({ question }) => question);
  }

  private close(id: string, answer: A | null): boolean {
    const open = this.open.get(id);
    if (!open) return false;
    this.open.delete(id);
    open.done(answer);
    this.changed();
    return true;
  }
}
