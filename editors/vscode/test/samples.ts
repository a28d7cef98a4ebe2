/** Hunks, reviews and asks to test with. */
import type { Ask, Hunk, Review } from '../src/protocol';

export const PATH = '/ws/src/main.rs';
export const URI = `file://${PATH}`;

/** Rows [first, last) of `old` are to become `now`. */
export function hunk(id: string, first: number, old: string, now: string, more: Partial<Hunk> = {}): Hunk {
  const rows = old === '' ? 0 : old.split('\n').length - 1;
  return {
    id,
    state: 'pending',
    mixed: false,
    range: { start: { line: first, character: 0 }, end: { line: first + rows, character: 0 } },
    oldText: old,
    newText: now,
    origin: { threadId: 'T1', agent: 'script', tool: 'edit_file', toolCallId: 'c1' },
    ...more,
  };
}

export function review(revision: number, version: number | null, hunks: Hunk[], more: Partial<Review> = {}): Review {
  return { uri: URI, revision, version, change: 'modified', hunks, ...more };
}

export function ask(askId: string, more: Partial<Ask> = {}): Ask {
  return {
    askId,
    title: 'cargo test',
    tool: 'Bash',
    args: { cmd: 'cargo test' },
    cwd: '/ws',
    reason: { action: 'ask', rule: 'ask Bash', source: 'built-in', line: 39, text: 'Asks because of built-in rule `ask Bash` (line 39).' },
    options: [
      { id: 'once', label: 'Allow once' },
      { id: 'session', label: 'Allow for the session', covers: "allow Bash --cmd 'cargo test'" },
      { id: 'reject', label: 'Reject' },
    ],
    queue: { index: 1, total: 1 },
    ...more,
  };
}

/** A small generator of numbers, the same for the same seed. */
export function random(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 374761393) >>> 0;
    return (state >>> 8) % below;
  };
}

export function shuffled<T>(items: readonly T[], below: (n: number) => number): T[] {
  const found = [...items];
  for (let i = found.length - 1; i > 0; i -= 1) {
    const j = below(i + 1);
    [found[i], found[j]] = [found[j] as T, found[i] as T];
  }
  return found;
}
