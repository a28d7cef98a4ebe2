/** What is said about a hunk: captions, lenses, the proposed text as markdown. Pure. */
import type { Hunk, Review } from './protocol';

export interface Size {
  added: string[];
  removed: number;
}

export interface Lens {
  title: string;
  tooltip: string;
  command: string;
}

/** "1 hunk", "2 hunks". */
export const counted = (n: number, what: string): string => `${String(n)} ${what}${n === 1 ? '' : 's'}`;

/** Others' text that is to be judged: what has no width, or turns the direction of text, must not hide anything. */
export const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029\u{e0000}-\u{e007f}]/gu, (char) =>
    char === '\n' || char === '\t' ? char : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );

/** "a", "a and b", "a, b and c". */
export const listed = (all: readonly string[]): string =>
  all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;

/** Text of others for a place that would read links or icons in it. */
export const plain = (text: string): string => text.replace(/\]\(/g, '] (').replace(/\$\(/g, '$ (');

/** "−1 +3", without what is none. */
export function sizeOf({ added, removed }: { added: number; removed: number }): string {
  return [removed > 0 ? `−${String(removed)}` : '', added > 0 ? `+${String(added)}` : ''].filter(Boolean).join(' ');
}

/** The title of a thread: "Change 2 of 5  ·  −1 +3". */
export function caption(hunk: Hunk, change: Review['change'], at: { n: number; of: number }, size: Size): string {
  const place = `Change ${String(at.n)} of ${String(at.of)}`;
  const what = { created: 'New file', deleted: 'Deletes the file', modified: place }[change];
  const parts = [
    hunk.state === 'accepting' ? 'Accepting…' : what,
    sizeOf({ added: size.added.length, removed: size.removed }),
    hunk.state === 'conflict' ? 'conflict: the text changed since' : '',
    hunk.mixed ? 'contains your typing' : '',
  ];
  return parts.filter(Boolean).join('  ·  ');
}

/** A code block whose fence no text can close. */
export function fenced(text: string, languageId: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${languageId}\n${text}\n${fence}\n`;
}

/** Whether icons in a markdown text are ours: in a proposed text they would be the agent's. */
export const hasIcons = (markdown: string): boolean => !markdown.includes('```');

/** The proposed text, in the file's own language. */
export function body(hunk: Hunk, change: Review['change'], size: Size, languageId: string): string {
  const above = [
    hunk.state === 'conflict' ? '⚠ The text here is no longer what the agent saw. It proposed:' : '',
    hunk.mixed && change !== 'deleted' ? 'What you typed inside is kept.' : '',
    hunk.mixed && change === 'deleted' ? 'You typed in this file since: undo that, or reject the deletion.' : '',
  ].filter(Boolean);
  if (size.added.length === 0) {
    const gone = change === 'deleted' ? 'Deletes this file.' : `Removes ${counted(size.removed, 'line')}.`;
    return [...above, `$(trash) ${gone}`].join('\n\n');
  }
  return [...above, fenced(size.added.join('\n'), languageId)].join('\n\n');
}

/** `$(check) Accept | Reject | 2 of 5`. A no-break space after an icon keeps them together. */
export function lensTitles(
  hunk: Hunk,
  change: Review['change'],
  at: { n: number; of: number },
  shown: boolean,
): Lens[] {
  const reject = { title: 'Reject', tooltip: 'Reject this change', command: 'redline.reject' };
  const count = {
    title: `${String(at.n)} of ${String(at.of)}`,
    tooltip: 'Go to the next change',
    command: 'redline.next',
  };
  const diff = { title: '$(diff)\u00a0Diff', tooltip: 'Open the whole file as a diff', command: 'redline.openDiff' };
  const more = shown ? [] : [diff];
  switch (hunk.state) {
    case 'accepting':
      return [{ title: '$(sync~spin)\u00a0Accepting…', tooltip: '', command: '' }];
    case 'conflict':
      return [{ title: '$(warning)\u00a0Conflict', tooltip: 'The text changed since', command: '' }, reject, ...more, count];
    case 'applied':
      return [
        { title: '$(check)\u00a0Keep', tooltip: 'Keep what your rules allowed', command: 'redline.accept' },
        change === 'deleted'
          ? { title: 'Bring File Back', tooltip: 'Undo the deletion', command: 'redline.reject' }
          : { title: 'Undo', tooltip: 'Put the old text back', command: 'redline.reject' },
        count,
      ];
    default: {
      const title = change === 'created' ? 'Accept New File' : change === 'deleted' ? 'Delete File' : 'Accept';
      const accept = { title: `$(check)\u00a0${title}`, tooltip: change === 'deleted' ? 'Remove the file from disk; this editor keeps its text' : 'Put this change into the file', command: 'redline.accept' };
      return change === 'created' ? [accept, reject] : [accept, reject, ...more, count];
    }
  }
}
