/** Where hunks are, in rows, and how rows follow the user's typing. Pure. */
import type { Range } from './protocol';

/** Rows [first, last), 0-based. */
export interface Rows {
  first: number;
  last: number;
}

/** An edit of whole rows: [first, last) became [first, end). */
export interface RowEdit extends Rows {
  end: number;
}

/** What a text change event says of one change. */
export interface Change {
  range: Range;
  text: string;
}

/** Lines without their ends: `"a\nb"` and `"a\nb\n"` both have two, `""` has none. */
export function lines(text: string): string[] {
  if (text === '') return [];
  const all = text.split(/\r\n|\n|\r/);
  if (all.at(-1) === '') all.pop();
  return all;
}

/** The rows of a range of whole lines; one that ends inside a line includes that line. */
export function rowsOf(range: Range): Rows {
  const last = range.end.line + (range.end.character > 0 ? 1 : 0);
  return { first: range.start.line, last: Math.max(range.start.line, last) };
}

/** A change as an edit of rows. */
export function rowEdit({ range, text }: Change): RowEdit {
  const added = text.split(/\r\n|\n|\r/).length - 1;
  const whole =
    range.start.character === 0 && range.end.character === 0 && (text === '' || /[\r\n]$/.test(text));
  const extra = whole ? 0 : 1;
  const first = range.start.line;
  return { first, last: range.end.line + extra, end: first + added + extra };
}

/**
 * Rows after an edit. What the user inserts at the start or at an insertion point goes before, at
 * the end after, strictly inside it becomes part of it, as the server does it.
 */
export function shift({ first, last }: Rows, edit: RowEdit): Rows {
  const delta = edit.end - edit.last;
  if (edit.first === edit.last) {
    if (edit.first <= first) return { first: first + delta, last: last + delta };
    return { first, last: edit.first < last ? last + delta : last };
  }
  const move = (row: number): number => {
    if (row <= edit.first) return row;
    return row >= edit.last ? row + delta : Math.min(row, edit.end);
  };
  const moved = move(first);
  return { first: moved, last: Math.max(moved, move(last)) };
}

/** How many first and last lines two blocks share: a hunk may hold lines that are the same in both. */
export function common(before: string[], after: string[]): { head: number; tail: number } {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { head, tail };
}

/** A part of one line; columns in UTF-16 code units. */
export interface LineSpan {
  line: number;
  from: number;
  to: number;
}

/** Flat spans over a text as parts of its lines, without the line ends. */
export function lineSpans(text: string, spans: readonly (readonly [number, number])[]): LineSpan[] {
  const found: LineSpan[] = [];
  let start = 0;
  text.split('\n').forEach((raw, line) => {
    const size = raw.endsWith('\r') ? raw.length - 1 : raw.length;
    for (const [a, b] of spans) {
      const from = Math.max(a - start, 0);
      const to = Math.min(b - start, size);
      if (from < to) found.push({ line, from, to });
    }
    start += raw.length + 1;
  });
  return found;
}
