/**
 * The reviews that the server sent, as data. Rows follow the user's typing until the server says
 * where the hunks are now; nothing is drawn here and nothing knows of VS Code.
 */
import { rowEdit, rowsOf, shift, type Change, type RowEdit, type Rows } from './place';
import type { Hunk, HunkState, Review } from './protocol';

/** A hunk in its place. `key` names its file; the wire's own spelling of it is in the review. */
export interface Item extends Rows {
  readonly key: string;
  readonly hunk: Hunk;
}

interface File {
  review: Review;
  /** Of the text that the rows refer to; `null`: not of an open document. */
  version: number | null;
  items: Item[];
}

interface Edit extends RowEdit {
  /** Of the document after it. */
  version: number;
}

/** More edits than this never wait for the server's answer. */
const LOG_SIZE = 500;

const OPEN: ReadonlySet<HunkState> = new Set(['pending', 'conflict', 'applied']);
const DRAWN: ReadonlySet<HunkState> = new Set([...OPEN, 'accepting']);
const DECIDED: ReadonlySet<HunkState> = new Set(['accepted', 'rejected']);

/** Whether a hunk waits for the user. */
export const isOpen = (hunk: Hunk): boolean => OPEN.has(hunk.state);
/** Whether it is to be seen in its file. */
export const isDrawn = (hunk: Hunk): boolean => DRAWN.has(hunk.state);
/** Whether it can be reopened. */
export const isDecided = (hunk: Hunk): boolean => DECIDED.has(hunk.state);

/** A row of a hunk for the cursor: of an insertion the row before it. */
export const cursorRow = (item: Rows): number =>
  item.first === item.last ? Math.max(0, item.first - 1) : item.first;

export class Store {
  private readonly files = new Map<string, File>();
  /** The newest edits of each document. */
  private readonly logs = new Map<string, Edit[]>();

  /** `changed` is told the key of each file whose hunks, or their rows, changed. */
  constructor(private readonly changed: (key: string) => void = () => undefined) {}

  /** Takes a review unless a newer one of that file is known. */
  set(key: string, review: Review): boolean {
    const known = this.files.get(key);
    if (known && isOlder(review, known.review)) return false;
    if (review.hunks.length === 0) this.files.delete(key);
    else this.files.set(key, place(key, review, this.logs.get(key) ?? []));
    this.changed(key);
    return true;
  }

  /** Moves the hunks of a file along an edit that made `version` of it. */
  edited(key: string, version: number, changes: readonly Change[]): void {
    const edits = changes.map((change) => ({ ...rowEdit(change), version }));
    this.logs.set(key, [...(this.logs.get(key) ?? []), ...edits].slice(-LOG_SIZE));
    const file = this.files.get(key);
    const known = file?.version ?? null;
    if (!file || known === null || version <= known) return;
    file.items = file.items.map((item) => ({ ...item, ...edits.reduce<Rows>(shift, item) }));
    file.version = version;
    this.changed(key);
  }

  /** The document was closed: versions start anew. */
  closed(key: string): void {
    this.logs.delete(key);
    const file = this.files.get(key);
    if (file) file.version = null;
  }

  /** Forgets everything: its server is gone. */
  clear(): void {
    const keys = [...this.files.keys()];
    this.files.clear();
    keys.forEach(this.changed);
  }

  review(key: string): Review | undefined {
    return this.files.get(key)?.review;
  }

  /** The version of the document that the rows of a file refer to. */
  version(key: string): number | null {
    return this.files.get(key)?.version ?? null;
  }

  /** Hunks of a file in the order of rows. */
  items(key: string, wanted: (hunk: Hunk) => boolean = isDrawn): Item[] {
    return (this.files.get(key)?.items ?? []).filter((item) => wanted(item.hunk));
  }

  item(key: string, id: string): Item | undefined {
    return this.files.get(key)?.items.find((item) => item.hunk.id === id);
  }

  /** Files with hunks of that kind, in order. */
  keys(wanted: (hunk: Hunk) => boolean = isOpen): string[] {
    return [...this.files.keys()].filter((key) => this.items(key, wanted).length > 0).sort();
  }

  /** The hunk that a row belongs to: an insertion belongs to the row above, else to the one below. */
  at(key: string, row: number): Item | undefined {
    const items = this.items(key);
    const inside = items.find((item) => item.first <= row && row < item.last);
    const beside = (item: Item): boolean =>
      item.first === item.last && (row === item.first - 1 || row === item.first);
    return inside ?? items.find(beside);
  }

  /** All that wait and have a row in [first, last]. */
  within(key: string, first: number, last: number): Item[] {
    return this.items(key, isOpen).filter((item) =>
      item.first === item.last
        ? cursorRow(item) >= first && cursorRow(item) <= last
        : item.first <= last && item.last > first,
    );
  }

  /** The next (1) or previous (-1) hunk that waits, seen from a row; other files follow, in a ring. */
  neighbour(key: string | undefined, row: number, step: 1 | -1): Item | undefined {
    const here = key === undefined ? undefined : this.at(key, row);
    const ahead = (item: Item): boolean =>
      (cursorRow(item) - row) * step > 0 && item.hunk.id !== here?.hunk.id;
    const own = key === undefined ? [] : this.items(key, isOpen).filter(ahead);
    const found = step === 1 ? own[0] : own.at(-1);
    if (found) return found;
    const keys = this.keys();
    const after = key === undefined ? keys : keys.filter((other) => (step === 1 ? other > key : other < key));
    const next = step === 1 ? (after[0] ?? keys[0]) : (after.at(-1) ?? keys.at(-1));
    const items = next === undefined ? [] : this.items(next, isOpen);
    return step === 1 ? items[0] : items.at(-1);
  }

  count(): { hunks: number; files: number } {
    const keys = this.keys();
    return { hunks: keys.reduce((sum, key) => sum + this.items(key, isOpen).length, 0), files: keys.length };
  }
}

function isOlder(review: Review, known: Review): boolean {
  if (review.revision !== known.revision) return review.revision < known.revision;
  return review.version !== null && known.version !== null && review.version < known.version;
}

/** A review of an older version of the text is moved along the edits since. */
function place(key: string, review: Review, log: readonly Edit[]): File {
  const since = log.filter(({ version }) => review.version !== null && version > review.version);
  const items = review.hunks.map((hunk) => ({ key, hunk, ...since.reduce<Rows>(shift, rowsOf(hunk.range)) }));
  items.sort((a, b) => a.first - b.first || a.last - b.last || (a.hunk.id < b.hunk.id ? -1 : 1));
  return { review, items, version: since.at(-1)?.version ?? review.version };
}
