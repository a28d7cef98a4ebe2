/** Rules as text that the user edits, each in a box of one line. Pure. */

/** The rules of a text, one a line; a line break inside quotes does not end a rule. */
export function rulesOf(text: string): string[] {
  const rules: string[] = [];
  let rule = '';
  for (const { piece, quoted } of pieces(text)) {
    const ends = piece === '\n' && !quoted;
    if (ends) rules.push(rule);
    rule = ends ? '' : rule + piece;
  }
  return [...rules, rule].map((one) => one.trim()).filter((one) => one !== '');
}

/** The rule as it stands in the box. */
export const toBox = (rule: string): string => signs(rule).reduce((text, [real, sign]) => text.replaceAll(real, sign), rule);

/** What was typed, as a rule. `rule` is what the box began with. */
export const fromBox = (typed: string, rule: string): string =>
  signs(rule).reduce((text, [real, sign]) => text.replaceAll(sign, real), typed).trim();

/** What stands for the line breaks of a rule, which cannot be in a box of one line: characters that it has not. */
export function signs(rule: string): [string, string][] {
  const sign = (all: string): string => Array.from(all).find((one) => !rule.includes(one)) ?? ' ';
  const known: [string, string][] = [['\n', sign('⏎↵␤¶')], ['\r', sign('␍␊⇤')]];
  return known.filter(([real]) => rule.includes(real));
}

/** What is plainly wrong with a rule; the server knows the rest. */
export function problem(rule: string): string | undefined {
  const all = rulesOf(rule);
  const [first = '', second] = all;
  if (first === '') return 'A rule is missing: Esc goes back without one';
  if (!/^allow(\s|$)/.test(first)) return 'Only a rule that begins with “allow” can be added here';
  if (!/^allow\s+\S/.test(first)) return 'It does not say which tool';
  if (second !== undefined) return 'This is more than one rule';
  if (pieces(rule).at(-1)?.quoted === true) return 'A quote is not closed';
  return undefined;
}

interface Piece {
  piece: string;
  quoted: boolean;
}

/** A text character by character, as a shell reads it. `quoted` of the last: whether a quote is still open after it. */
function pieces(text: string): Piece[] {
  let quote = '';
  let escaped = false;
  return Array.from(text).map((piece) => {
    const ends = !escaped && piece === quote;
    const begins = !escaped && quote === '' && (piece === "'" || piece === '"');
    const wasEscaped = escaped;
    escaped = !escaped && piece === '\\' && quote !== "'";
    if (ends) quote = '';
    else if (begins) quote = piece;
    return { piece, quoted: quote !== '' || wasEscaped };
  });
}
