// The states that the pictures show, each with what leads to it.
import { create, bash, edit, say, type Block } from './script.ts';
import type { Redline } from './redline.ts';
import type { Options } from './scenario.ts';
import { eventually } from './wait.ts';

export interface Stage extends Options {
  readonly name: string;
  readonly play: (redline: Redline) => Promise<void>;
}

const code = `use std::collections::HashMap;

/// Remembers the answers of a slow function.
pub struct Cache<F> {
    slow: F,
    known: HashMap<String, u64>,
}

impl<F: Fn(&str) -> u64> Cache<F> {
    pub fn new(slow: F) -> Self {
        println!("a new cache");
        Cache { slow, known: HashMap::new() }
    }

    pub fn get(&mut self, key: &str) -> u64 {
        if self.known.contains_key(key) {
            return self.known[key];
        }
        let answer = (self.slow)(key);
        self.known.insert(key.to_string(), answer);
        answer
    }
}
`;

const main = `mod cache;

fn main() {
    let mut cache = cache::Cache::new(|key| key.len() as u64);
    println!("{}", cache.get("redline"));
}
`;

const files = { 'src/cache.rs': code, 'src/main.rs': main };
const cache = 'src/cache.rs';

const insertion = edit('e1', cache, '    known: HashMap<String, u64>,\n', '    known: HashMap<String, u64>,\n    hits: usize,\n');
const deletion = edit('e2', cache, '        println!("a new cache");\n', '');
const replacement = edit(
  'e3',
  cache,
  '        if self.known.contains_key(key) {\n            return self.known[key];\n        }\n',
  '        if let Some(&answer) = self.known.get(key) {\n            self.hits += 1;\n            return answer;\n        }\n',
);
const small = edit('e4', cache, 'Cache { slow, known: HashMap::new() }', 'Cache { slow, known: HashMap::new(), hits: 0 }');
const other = edit('e5', 'src/main.rs', '    println!("{}", cache.get("redline"));\n', '    println!("{}", cache.get("redline"));\n    println!("{} hits", cache.hits());\n');

const proposed = (...edits: Block[]): Block[][] => [edits, [say('Proposed.')]];
const COMMAND = 'cargo add rustc-hash && cargo test --package cache';

async function wait(redline: Redline, file: string, count: number): Promise<void> {
  await redline.turns(1);
  await redline.pending(file, count);
  await redline.ui.waitForEditorFocus();
  await redline.probe.cursor(0);
}

async function ask(redline: Redline): Promise<void> {
  await redline.run('redline.prompt', { text: 'count the hits with a faster hash, then test' });
  await redline.ui.notification('cargo add').waitFor();
}

const prompt = (redline: Redline): Promise<void> => redline.run('redline.prompt', { text: 'count the hits' });

export const stages: Stage[] = [
  {
    name: 'hunks', files, open: cache, turns: proposed(insertion, replacement, other),
    play: async (redline) => { await prompt(redline); await wait(redline, cache, 2); },
  },
  {
    name: 'deletion', files, open: cache, turns: proposed(deletion, replacement),
    play: async (redline) => { await prompt(redline); await wait(redline, cache, 2); await redline.probe.cursor(10); },
  },
  {
    name: 'accepting', files, open: cache, turns: proposed(replacement),
    play: async (redline) => {
      await prompt(redline);
      await wait(redline, cache, 1);
      const review = redline.wire.review(redline.uri(cache));
      if (review === undefined) throw new Error('a review');
      const hunks = review.hunks.map((hunk) => ({ ...hunk, state: 'accepting' }));
      await redline.wire.tell('redline/review', { ...review, revision: review.revision + 1, hunks });
      await redline.ui.lensesWith('Accepting').waitFor();
    },
  },
  {
    name: 'applied', files, open: cache, turns: proposed(small, replacement),
    settings: { 'redline.permissions': [{ tool: 'edit_file', action: 'allow' }] },
    play: async (redline) => {
      await prompt(redline);
      await redline.turns(1);
      await redline.ui.lens(/Keep/).first().waitFor();
    },
  },
  {
    name: 'conflict', open: 'names.txt', files: { 'names.txt': 'ada\nbarbara\ngrace\nhedy\nkatherine\nmargaret\nradia\n' },
    turns: proposed(edit('e1', 'names.txt', 'grace', 'HOPPER'), edit('e2', 'names.txt', 'radia', 'PERLMAN')),
    play: async (redline) => {
      await prompt(redline);
      await wait(redline, 'names.txt', 2);
      redline.sandbox.write('names.txt', 'ada\nbarbara\nlynn\nhedy\nkatherine\nmargaret\nradia\n');
      await redline.ui.lensesWith('Conflict').waitFor();
    },
  },
  {
    name: 'mixed', files, open: cache, turns: proposed(replacement),
    play: async (redline) => {
      await prompt(redline);
      await wait(redline, cache, 1);
      await redline.probe.cursor(15, 41);
      await redline.ui.keys('Enter');
      await redline.ui.type('// mine: count this');
      await redline.ui.thread('contains your typing').waitFor();
    },
  },
  {
    name: 'created', files, open: cache,
    turns: [[create('c1', 'tests/hits.rs', '//! Counts the hits of a cache.\n\n#[test]\nfn a_known_key_is_a_hit() {\n    let mut cache = Cache::new(|key| key.len() as u64);\n    cache.get("a");\n    cache.get("a");\n    assert_eq!(cache.hits(), 1);\n}\n')], [say('Proposed.')]],
    play: async (redline) => {
      await prompt(redline);
      await redline.turns(1);
      await redline.pending('tests/hits.rs', 1);
      await redline.press('next');
      await redline.shows('a_known_key_is_a_hit');
    },
  },
  { name: 'ask', files, open: cache, turns: [[insertion, bash('b1', COMMAND)], [say('Done.')]], play: ask },
  {
    name: 'ask-modal', files, open: cache, turns: [[insertion, bash('b1', COMMAND)], [say('Done.')]],
    play: async (redline) => { await ask(redline); await redline.ui.press(redline.ui.notification('cargo add'), 'More…'); await redline.ui.dialog.waitFor(); },
  },
  {
    name: 'ask-tree', files, open: cache, turns: [[insertion, small, other, bash('b1', COMMAND)], [say('Done.')]],
    play: async (redline) => { await ask(redline); await redline.ui.openView(); await redline.ui.row('cargo add').waitFor(); },
  },
  {
    name: 'tree', files, open: cache, turns: proposed(insertion, small, replacement, other),
    play: async (redline) => {
      await prompt(redline);
      await wait(redline, cache, 3);
      await redline.lens('Accept', 1, 3);
      await redline.pending(cache, 2);
      await redline.ui.openView();
      await redline.ui.row('main.rs').hover();
    },
  },
  {
    name: 'many', open: 'list.py',
    files: { 'list.py': Array.from({ length: 30 }, (_, line) => `def name_${String(line)}(): return ${String(line)}\n`).join('') },
    turns: proposed(...[1, 4, 7, 10, 13, 16, 19, 22].map((line) => edit(`e${String(line)}`, 'list.py', `return ${String(line)}\n`, `return ${String(line)} + 1\n`))),
    play: async (redline) => {
      await prompt(redline);
      await wait(redline, 'list.py', 8);
      await redline.probe.cursor(4);
      await redline.ui.thread('return 4 + 1').waitFor();
    },
  },
  {
    name: 'edit', files, open: cache, turns: proposed(small, replacement),
    play: async (redline) => {
      await prompt(redline);
      await wait(redline, cache, 2);
      await redline.icon(redline.ui.thread('hits += 1'), /^Edit/).click();
      await eventually('the box', () => redline.ui.commentHasFocus());
    },
  },
  {
    name: 'reply', files, open: cache, turns: proposed(small, replacement),
    play: async (redline) => {
      await prompt(redline);
      await wait(redline, cache, 2);
      await redline.ui.thread('hits += 1').locator('.review-thread-reply-button').click();
      await eventually('the box', () => redline.ui.commentHasFocus());
      await redline.ui.type('use entry() and count the misses too');
    },
  },
  {
    name: 'diff', files, open: cache, turns: proposed(insertion, small, replacement),
    play: async (redline) => {
      await prompt(redline);
      await wait(redline, cache, 3);
      await redline.run('redline.openDiff');
      await redline.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    },
  },
];
