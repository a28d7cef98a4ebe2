/** What runs: turns, and the tool that each is busy with. Pure. */
import type { ThreadEvent, TurnEndEvent } from './protocol';

interface Turn {
  turnId: string;
  /** What it does at the moment. */
  doing: string;
  since: number;
}

export class Turns {
  /** The thread that the next prompt goes on with. */
  current: string | undefined;
  private readonly running = new Map<string, Turn>();
  /** Turns that ended before their prompt was answered. */
  private readonly ended = new Set<string>();

  constructor(
    private readonly changed: () => void = () => undefined,
    private readonly now: () => number = Date.now,
  ) {}

  /** A prompt was taken. */
  started(threadId: string, turnId: string): void {
    this.current = threadId;
    if (!this.ended.has(turnId)) this.run(threadId, turnId, 'thinking');
    this.changed();
  }

  /** Follows a thread; returns the end of a turn. */
  event({ threadId, turnId, event }: ThreadEvent): TurnEndEvent | undefined {
    if (event.type === 'turnEnd') {
      this.running.delete(threadId);
      this.ended.add(turnId);
      this.changed();
      return event;
    }
    if (this.ended.has(turnId)) return undefined;
    if (event.type === 'toolCall') {
      const busy = event.status === 'in-progress' || event.status === 'blocked-on-user';
      this.run(threadId, turnId, busy ? event.title || event.name : 'thinking');
    } else {
      this.run(threadId, turnId, this.running.get(threadId)?.doing ?? 'thinking');
    }
    this.changed();
    return undefined;
  }

  threads(): string[] {
    return [...this.running.keys()];
  }

  /** What is being done, and for how many milliseconds. */
  doing(): { what: string; ms: number } | undefined {
    const turn = [...this.running.values()].at(-1);
    return turn && { what: turn.doing, ms: this.now() - turn.since };
  }

  /** Its server is gone. */
  clear(): void {
    this.running.clear();
    this.current = undefined;
    this.changed();
  }

  private run(threadId: string, turnId: string, doing: string): void {
    const known = this.running.get(threadId);
    if (known?.turnId === turnId && known.doing === doing) return;
    this.running.set(threadId, { turnId, doing, since: this.now() });
  }
}
