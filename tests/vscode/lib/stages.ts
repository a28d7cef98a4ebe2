// The states that the pictures show, each with what leads to it.
import { create, bash, edit, say, type Block } from './script.ts';
import type { Redline } from './redline.ts';
import type { Options } from './scenario.ts';
import { eventually, read } from './wait.ts';

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

/** An ask with every option, in the server's place. */
export const everyOption = (redline: Redline, more: object = {}): object => {
  const rule = "allow Bash --cmd 'cargo add rustc-hash' --cmd 'cargo test --package cache'";
  return {
    askId: 'shown',
    title: COMMAND,
    tool: 'Bash',
    args: { cmd: COMMAND },
    cwd: redline.sandbox.workspace,
    detail: COMMAND,
    reason: {
      action: 'ask', rule: 'ask Bash --cmd \'cargo add *\'', source: '~/.config/redline/settings.json', line: 12,
      text: "Asks because of your rule `ask Bash --cmd 'cargo add *'` (~/.config/redline/settings.json:12); to allow it always, add `allow Bash --cmd 'cargo add rustc-hash'` before it.",
    },
    options: [
      { id: 'once', label: 'Allow once' },
      { id: 'session', label: 'Allow for the session', covers: rule },
      { id: 'folder', label: 'Always in this folder', covers: rule },
      { id: 'always', label: 'Always everywhere', covers: rule },
      { id: 'reject', label: 'Reject' },
    ],
    queue: { index: 2, total: 3 },
    ...more,
  };
};

/** What the server asks; nothing waits for the answer. */
function put(redline: Redline, method: string, params: object): void {
  redline.wire.request(method, params, 'client').catch(() => undefined);
}

/** The dialog of an ask with every option, of three that wait. */
async function whole(redline: Redline, more: object = {}): Promise<void> {
  for (const index of [1, 2, 3]) {
    put(redline, 'redline/permission', everyOption(redline, { askId: `A${String(index)}`, queue: { index, total: index }, ...more }));
  }
  await redline.ui.status.filter({ hasText: 'Redline asks (3)' }).waitFor();
  // It ends when the dialog does.
  redline.run('redline.answerAsk', 'A2').catch(() => undefined);
  await redline.ui.dialog.waitFor();
}

async function scopes(redline: Redline): Promise<void> {
  await redline.ui.choose('Always Allow…');
  await redline.ui.quickInput.getByText('Always everywhere').waitFor();
  await read();
}

function trust(redline: Redline): void {
  const text = [
    'What this folder wants to count once you trust it:', '',
    "allow Bash --cmd 'make *'                    .redline/settings.json:4",
    'delegate --to ./scripts/may-run Bash         .redline/settings.json:5', '',
    'Trusted, these rules decide after yours and before the built-in ones. A change of the file asks again.', '',
  ].join('\n');
  put(redline, 'redline/trust', { trustId: 'T1', folder: redline.sandbox.workspace, files: ['.redline/settings.json'], text, changed: false });
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
    name: 'ask-every', files, open: cache,
    play: async (redline) => { await whole(redline); },
  },
  {
    name: 'ask-scope', files, open: cache,
    play: async (redline) => { await whole(redline); await scopes(redline); },
  },
  {
    name: 'ask-rule', files, open: cache,
    play: async (redline) => {
      await whole(redline);
      await scopes(redline);
      await redline.ui.pick('Always in this folder');
      await redline.ui.quickInput.getByText('Esc goes back').waitFor();
    },
  },
  {
    name: 'ask-edit', files, open: cache,
    play: async (redline) => {
      const path = '/etc/hosts';
      await whole(redline, {
        title: `Overwrite ${path}`, tool: 'edit_file', args: { path, old_str: 'localhost', new_str: 'here' },
        detail: `${path}  +1 −1\n\n@@ -1 +1 @@\n-127.0.0.1 localhost\n+127.0.0.1 here`,
      });
    },
  },
  {
    name: 'trust', files, open: cache,
    play: async (redline) => { trust(redline); await redline.ui.notification('rules of its own').waitFor(); await redline.ui.openView(); },
  },
  {
    name: 'trust-shown', files, open: cache,
    play: async (redline) => {
      trust(redline);
      await redline.ui.press(redline.ui.notification('rules of its own'), 'Show');
      await redline.shows('make');
      await redline.ui.notification('rules of its own').waitFor();
    },
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
