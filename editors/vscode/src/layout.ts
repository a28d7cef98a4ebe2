/** Everything that is drawn in one document, as data: decorations, threads, lenses. Pure. */
import { common, lines, lineSpans } from './place';
import { isOpen, type Item } from './store';
import type { Hunk, Review } from './protocol';
import { body, caption, fenced, lensTitles, type Lens } from './words';

export type MarkKind = 'removed' | 'removedWord' | 'insertion' | 'added' | 'addedWord' | 'accepting' | 'conflict';

/** Whole lines [line, end], or a part of one line. */
export interface Mark {
  line: number;
  end: number;
  from?: number;
  to?: number;
}

/** What pointing at lines tells, where no thread does. */
export interface Hover {
  line: number;
  end: number;
  /** Markdown. */
  body: string;
}

/** What a comment thread shows. Equal plans need no call to the editor. */
export interface ThreadPlan {
  id: string;
  line: number;
  label: string;
  /** Markdown. */
  body: string;
  context: string;
  author: string;
}

export interface LensPlan extends Lens {
  line: number;
  id: string;
}

export interface Picture {
  marks: Record<MarkKind, Mark[]>;
  threads: ThreadPlan[];
  lenses: LensPlan[];
  hovers: Hover[];
}

export interface Look {
  languageId: string;
  lineCount: number;
  /** Whether comment threads can be seen at all. */
  threads: boolean;
  /** Above so many hunks only the current one has its thread. */
  expandLimit: number;
  /** The hunk that the user looks at; the first, if not said. */
  current?: string | undefined;
}

export const nothing = (): Picture => ({
  marks: { removed: [], removedWord: [], insertion: [], added: [], addedWord: [], accepting: [], conflict: [] },
  threads: [],
  lenses: [],
  hovers: [],
});

/** The picture of a file's own document. */
export function layout(items: readonly Item[], review: Review, look: Look): Picture {
  const picture = nothing();
  const waiting = items.filter(({ hunk }) => isOpen(hunk));
  const many = items.length > look.expandLimit;
  const current = items.some(({ hunk }) => hunk.id === look.current) ? look.current : items[0]?.hunk.id;
  for (const item of items) {
    const { hunk } = item;
    const whole = shapeOf(item, look.lineCount);
    // What is said of a file that goes stands above all of it.
    const shape = review.change === 'deleted' ? { ...whole, anchor: 0 } : whole;
    const at = { n: waiting.indexOf(item) + 1, of: waiting.length };
    const expanded = look.threads && hunk.state !== 'applied' && (!many || hunk.id === current);
    mark(picture, item, shape);
    if (!expanded) picture.hovers.push(hoverOf(hunk, review.change, shape, look.languageId));
    const above = shape.first < shape.last ? shape.first : shape.anchor;
    for (const lens of lensTitles(hunk, review.change, at, expanded)) {
      picture.lenses.push({ ...lens, line: above, id: hunk.id });
    }
    if (expanded) picture.threads.push(threadPlan(hunk, review, shape, at, look.languageId));
  }
  return picture;
}

/** The picture of a proposed file that is not there yet: a document with nothing but its text. */
export function layoutCreated(items: readonly Item[], review: Review, look: Look): Picture {
  const picture = nothing();
  const item = items[0];
  if (!item) return picture;
  // Not the empty line after the last line's end.
  const last = Math.max(0, Math.min(look.lineCount, lines(item.hunk.newText).length) - 1);
  const kind = item.hunk.state === 'accepting' ? 'accepting' : 'added';
  picture.marks[kind].push({ line: 0, end: last });
  const at = { n: 1, of: 1 };
  for (const lens of lensTitles(item.hunk, review.change, at, look.threads)) {
    picture.lenses.push({ ...lens, line: 0, id: item.hunk.id });
  }
  if (look.threads) {
    const added = lines(item.hunk.newText);
    const shape: Shape = { first: 0, last: 0, anchor: last, added, removed: 0 };
    const plan = threadPlan(item.hunk, review, shape, at, look.languageId);
    picture.threads.push({ ...plan, body: '$(new-file) This file is not there yet. Accepting creates it.' });
  }
  return picture;
}

/** A hunk without the lines that are the same on both sides. */
interface Shape {
  first: number;
  last: number;
  /** The line under which the new text is shown. */
  anchor: number;
  added: string[];
  removed: number;
}

function shapeOf(item: Item, lineCount: number): Shape {
  const before = lines(item.hunk.oldText);
  const after = lines(item.hunk.newText);
  const size = item.last - item.first;
  // Rows that moved since the server looked are taken as they are.
  const { head, tail } = size === before.length ? common(before, after) : { head: 0, tail: 0 };
  const limit = (row: number): number => Math.min(Math.max(0, row), lineCount);
  const [first, last] = [limit(item.first + head), limit(Math.max(item.first + head, item.last - tail))];
  const anchor = Math.min(Math.max(0, (last > first ? last : first) - 1), Math.max(0, lineCount - 1));
  return { first, last, anchor, added: after.slice(head, after.length - tail), removed: last - first };
}

function mark({ marks }: Picture, item: Item, shape: Shape): void {
  const { hunk } = item;
  const whole: Mark = { line: shape.first, end: shape.last - 1 };
  if (shape.first >= shape.last) {
    if (hunk.state !== 'applied') marks.insertion.push({ line: shape.anchor, end: shape.anchor });
    return;
  }
  if (hunk.state === 'applied') {
    marks.added.push(whole);
    marks.addedWord.push(...wordsIn(item, hunk.newText, hunk.words?.new));
  } else if (hunk.state === 'accepting') {
    marks.accepting.push(whole);
  } else if (hunk.state === 'conflict') {
    marks.conflict.push(whole);
  } else {
    marks.removed.push(whole);
    marks.removedWord.push(...wordsIn(item, hunk.oldText, hunk.words?.old));
  }
}

/** The changed words, if the rows are still those of the review and the words say more than the lines. */
function wordsIn(item: Item, text: string, spans: readonly [number, number][] | undefined): Mark[] {
  if (!spans || lines(text).length !== item.last - item.first) return [];
  const found = lineSpans(text, spans);
  const size = found.reduce((sum, { from, to }) => sum + to - from, 0);
  if (size >= lines(text).reduce((sum, line) => sum + line.trim().length, 0)) return [];
  return found.map(({ line, from, to }) => ({ line: item.first + line, end: item.first + line, from, to }));
}

function threadPlan(
  hunk: Hunk,
  review: Review,
  shape: Shape,
  at: { n: number; of: number },
  languageId: string,
): ThreadPlan {
  return {
    id: hunk.id,
    line: shape.anchor,
    label: caption(hunk, review.change, at, shape),
    body: body(hunk, review.change, shape, languageId),
    // There is no proposed text to edit in a file that goes.
    context: review.change === 'deleted' && hunk.state === 'pending' ? 'pending.deletion' : hunk.state,
    author: `${hunk.origin.agent || 'agent'} proposes`,
  };
}

function hoverOf(hunk: Hunk, change: Review['change'], shape: Shape, languageId: string): Hover {
  const at = shape.first < shape.last ? { line: shape.first, end: shape.last - 1 } : { line: shape.anchor, end: shape.anchor };
  if (hunk.state !== 'applied') return { ...at, body: body(hunk, change, shape, languageId) };
  if (change === 'deleted') return { ...at, body: 'This file is deleted; the editor keeps its text.' };
  const before = lines(hunk.oldText);
  const was = before.length === 0 ? 'New.' : `Was:\n\n${fenced(before.join('\n'), languageId)}`;
  return { ...at, body: was };
}
