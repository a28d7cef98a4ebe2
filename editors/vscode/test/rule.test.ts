import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromBox, problem, rulesOf, toBox } from '../src/rule';
import { random } from './samples';

test('a text is rules, one a line, unless a quote or a backslash carries the line on', () => {
  for (const [text, expected] of [
    ['', []],
    ['allow Bash', ['allow Bash']],
    ["allow Bash --cmd 'a'\nallow Bash --cmd 'b'\n", ["allow Bash --cmd 'a'", "allow Bash --cmd 'b'"]],
    ["allow Bash --cmd 'a\nb'\nallow X", ["allow Bash --cmd 'a\nb'", 'allow X']],
    ['allow Bash --cmd "a\nb"', ['allow Bash --cmd "a\nb"']],
    ["allow Bash --cmd 'it'\\''s\nb'\nallow X", ["allow Bash --cmd 'it'\\''s\nb'", 'allow X']],
    ["allow Bash --cmd 'a\\'\nallow X", ["allow Bash --cmd 'a\\'", 'allow X']],
    ['allow Bash \\\n  --cmd a\nallow X', ['allow Bash \\\n  --cmd a', 'allow X']],
    ['allow Bash --cmd "\\"\n"\nallow X', ['allow Bash --cmd "\\"\n"', 'allow X']],
  ] as const) {
    assert.deepEqual(rulesOf(text), expected, text);
  }
});

test('what is not touched in the box is the rule as it was, whatever is in it', () => {
  const signs = ['a', ' ', "'", '"', '\\', '\n', '\r', '⏎', '↵', '␍', '$(x)', '💾'];
  for (let seed = 0; seed < 500; seed += 1) {
    const below = random(seed);
    const rule = `allow ${Array.from({ length: below(12) }, () => signs[below(signs.length)] ?? '').join('')}.`;
    const shown = toBox(rule);
    assert.doesNotMatch(shown, /[\r\n]/);
    assert.equal(fromBox(shown, rule), rule, `seed ${String(seed)}`);
  }
});

test('what is plainly no rule to add is said before it is sent', () => {
  for (const [typed, expected] of [
    ['allow Bash', undefined],
    ["allow --context thread Bash --cmd 'it'\\''s'", undefined],
    [' ', /missing/],
    ['reject Bash', /begins with “allow”/],
    ['allowing Bash', /begins with “allow”/],
    ['allow', /which tool/],
    ["allow Bash --cmd 'git", /quote is not closed/],
    ['allow Bash --cmd "git', /quote is not closed/],
    ['allow Bash\nallow X', /more than one/],
  ] as const) {
    const said = problem(typed);
    if (expected === undefined) assert.equal(said, undefined, typed);
    else assert.match(said ?? '', expected, typed);
  }
});
