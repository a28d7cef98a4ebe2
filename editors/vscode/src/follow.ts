/** Where a position is after edits, as a user would want it. Pure. */
export interface Position {
  line: number;
  character: number;
}
export interface TextEdit {
  range: { start: Position; end: Position };
  newText: string;
}

const before = (a: Position, b: Position): boolean =>
  a.line < b.line || (a.line === b.line && a.character < b.character);

/**
 * Edits do not overlap; all refer to the text before them. A position in replaced text stays on its
 * line, as far as there is one; the column may be too large for it. At an insertion it stays before.
 */
export function follow(position: Position, edits: readonly TextEdit[]): Position {
  const sorted = [...edits].sort((a, b) => (before(a.range.start, b.range.start) ? -1 : 1));
  let down = 0;
  // How far columns moved on the line where the last edit ended.
  let right = { line: -1, by: 0 };
  for (const { range, newText } of sorted) {
    if (!before(range.start, position)) break;
    const rows = newText.split(/\r\n|\n|\r/);
    const added = rows.length - 1;
    if (before(position, range.end)) {
      const line = range.start.line + down + Math.min(position.line - range.start.line, added);
      return { line, character: position.character };
    }
    const from = range.start.character + (right.line === range.start.line ? right.by : 0);
    const end = (added === 0 ? from : 0) + (rows.at(-1)?.length ?? 0);
    right = { line: range.end.line, by: end - range.end.character };
    down += added - (range.end.line - range.start.line);
  }
  const by = right.line === position.line ? right.by : 0;
  return { line: position.line + down, character: position.character + by };
}
