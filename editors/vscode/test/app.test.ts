import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import * as wire from '../src/protocol';
import { done, fired, openDocument, Position, Range, Uri, window, workspace } from './fake-vscode';
import { red, seen, shows } from './seen';
import { URI, ask, hunk, random, review, shuffled } from './samples';
import { PATH, inWorld, onlyMessage, until } from './world';

const TEXT = Array.from({ length: 40 }, (_, i) => `line ${String(i)}\n`).join('');
const line = (n: number): string => `line ${String(n)}\n`;

test('reviews in any order, with edits between them: the newest is what is drawn', async () => {
  for (let seed = 0; seed < 60; seed += 1) {
    await inWorld(async (world) => {
      const below = random(seed);
      const editor = openDocument(PATH, TEXT);
      const sent: wire.Review[] = [];
      let waiting: wire.Review[] = [];
      for (let step = 0; step < 8; step += 1) {
        if (below(2) === 0) {
          const at = new Position(below(10), below(3));
          editor.document.edit([{ range: new Range(at, at), text: below(2) === 0 ? 'typed\n' : 'x' }]);
        }
        // Hunks come and go; the revision counts only that, the version only the text.
        const count = 1 + below(4);
        const hunks = Array.from({ length: count }, (_, n) => {
          const first = n * 8 + below(6);
          return hunk(`h${String(n)}`, first, `${editor.document.lineAt(first).text}\n`, `new ${String(step)}\n`);
        });
        const one = review(sent.length + 1, editor.document.version, hunks);
        sent.push(one);
        waiting.push(one);
        if (below(3) === 0) {
          await shows(world, ...shuffled(waiting, below));
          waiting = [];
        }
      }
      const late = sent.slice(0, -1).filter(() => below(2) === 0);
      await shows(world, ...shuffled([...waiting, ...late], below));
      const drawn = seen(editor);
      await inWorld(async (other) => {
        const fresh = openDocument(PATH, editor.document.text);
        fresh.document.version = editor.document.version;
        await shows(other, sent.at(-1) as wire.Review);
        assert.deepEqual(drawn, seen(fresh), `seed ${String(seed)}`);
        assert.ok(drawn.threads.length > 0);
      });
    });
  }
});

test('a review of another version than the document is not drawn until they agree', async () => {
  await inWorld(async (world) => {
    const editor = openDocument(PATH, TEXT);
    await shows(world, review(1, 2, [hunk('a', 5, line(5), 'new\n')]));
    assert.deepEqual(seen(editor), { rows: [], threads: [], lenses: [] });
    editor.document.edit([{ range: new Range(0, 0, 0, 0), text: 'x' }]);
    await shows(world, review(1, 2, [hunk('a', 5, line(5), 'new\n')]));
    assert.deepEqual(red(editor), ['5']);
  });
});

test('a thread that shows the same is left alone, however much is typed', async () => {
  await inWorld(async (world) => {
    const editor = openDocument(PATH, TEXT);
    await shows(world, review(1, 1, [hunk('a', 5, line(5), 'new\n'), hunk('b', 9, line(9), 'b\n')]));
    const [first] = done.threads;
    assert.ok(first);
    const { comments } = first;
    for (let n = 0; n < 5; n += 1) {
      editor.document.edit([{ range: new Range(20, 0, 20, 0), text: 'x' }]);
      await shows(world, review(1, editor.document.version, [hunk('a', 5, line(5), 'new\n'), hunk('b', 9, line(9), 'b\n')]));
    }
    editor.document.edit([{ range: new Range(0, 0, 0, 0), text: 'above\n' }]);
    assert.equal(done.threads[0], first);
    assert.equal(first.comments, comments);
    assert.equal(first.range.start.line, 6);
    await shows(world, review(2, editor.document.version, [hunk('b', 10, line(9), 'b\n')]));
    assert.deepEqual([first.disposed, done.threads.length], [true, 1]);
  });
});

test('another theme: the code in the threads is coloured anew, but not what is being edited', async () => {
  await inWorld(async (world) => {
    openDocument(PATH, TEXT);
    await shows(world, review(1, 1, [hunk('a', 5, line(5), 'new\n'), hunk('b', 9, line(9), 'b\n')]));
    await world.run('edit', { key: URI, id: 'b' });
    const before = done.threads.map((thread) => thread.comments[0]);
    fired.theme.fire({});
    const after = done.threads.map((thread) => thread.comments[0]);
    assert.notEqual(after[0], before[0]);
    assert.deepEqual(after[0], before[0]);
    assert.equal(after[1], before[1]);
  });
});

test('accept and reject send what the user looked at', async () => {
  await inWorld(async (world) => {
    const editor = openDocument(PATH, TEXT);
    await shows(world, review(7, 1, [hunk('a', 5, line(5), 'new\n'), hunk('b', 9, line(9), 'b\n')]));
    editor.moveTo(5);
    await world.run('accept');
    const [thread] = done.threads;
    await world.run('reject', thread);
    await world.run('submitReply', { thread, text: ' use a loop ' });
    await world.run('accept', { key: URI, id: 'b' });
    done.answers = ['too slow', '', undefined];
    for (let times = 0; times < 3; times += 1) await world.run('rejectWithComment', { key: URI, id: 'b' });
    await world.run('acceptFile');
    await world.run('rejectAll');
    const base = { uri: URI, revision: 7 };
    assert.deepEqual(world.got.map(({ params }) => params), [
      { action: 'accept', hunks: ['a'], ...base },
      { action: 'reject', hunks: ['a'], ...base },
      { action: 'reject', hunks: ['a'], comment: 'use a loop', ...base },
      { action: 'accept', hunks: ['b'], ...base },
      { action: 'reject', hunks: ['b'], comment: 'too slow', ...base },
      { action: 'accept', hunks: ['a', 'b'], ...base },
      { action: 'reject', include: 'applied' },
    ]);
    assert.ok(done.executed.some(([name]) => name === 'workbench.action.focusActiveEditorGroup'));
  });
});

test('a selection means all hunks in it; no hunk is said, not guessed', async () => {
  await inWorld(async (world) => {
    const editor = openDocument(PATH, TEXT);
    await shows(world, review(1, 1, [hunk('a', 5, line(5), 'x\n'), hunk('b', 9, line(9), 'y\n'), hunk('c', 20, line(20), 'z\n')]));
    editor.selection = Object.assign(editor.selection, { start: new Position(4, 0), end: new Position(10, 0) });
    await world.run('reject');
    assert.deepEqual((world.got[0]?.params as wire.ResolveParams).hunks, ['a', 'b']);
    editor.moveTo(15);
    await world.run('accept');
    assert.equal(world.got.length, 1);
    assert.match(done.passing.at(-1) ?? '', /no change here/);
  });
});

test('stale because of another hunk: decided again; because of this one: said', async () => {
  await inWorld(async (world) => {
    openDocument(PATH, TEXT);
    const a = hunk('a', 5, line(5), 'new\n');
    await shows(world, review(1, 1, [a, hunk('b', 9, line(9), 'b\n')]));
    const stale = { resolved: [], stale: ['a'], failed: [], mixed: [] };
    let newer: wire.Review = review(2, 1, [a, hunk('b', 9, line(9), 'changed\n')]);
    world.answers.set(wire.resolve, async ({ revision }: wire.ResolveParams) => {
      if (revision === newer.revision) return { ...stale, resolved: ['a'], stale: [] };
      await world.server.sendNotification(wire.review, newer);
      return stale;
    });
    await world.run('accept', { key: URI, id: 'a' });
    assert.deepEqual(world.got.map(({ params }) => (params as wire.ResolveParams).revision), [1, 2]);
    assert.equal(done.messages.length, 0);
    newer = review(3, 1, [hunk('a', 5, line(5), 'quite another\n')]);
    await world.run('accept', { key: URI, id: 'a' });
    assert.equal(world.got.length, 3);
    assert.match(onlyMessage().text, /changed meanwhile/);
  });
});

test('failures and kept typing are said; an error of the server too', async () => {
  await inWorld(async (world) => {
    openDocument(PATH, TEXT);
    await shows(world, review(1, 1, [hunk('a', 5, line(5), 'new\n')]));
    world.answers.set(wire.resolve, () => ({ resolved: ['a'], stale: [], failed: [{ hunk: 'a', reason: 'the disk is full' }], mixed: ['a'] }));
    await world.run('accept', { key: URI, id: 'a' });
    assert.match(onlyMessage().text, /the disk is full/);
    assert.match(done.passing.at(-1) ?? '', /typed inside the change was kept/);
    done.messages = [];
    world.answers.set(wire.resolve, () => { throw new Error('revision needs uri'); });
    await world.run('accept', { key: URI, id: 'a' });
    assert.match(onlyMessage().text, /revision needs uri/);
  });
});

test('questions, saving, formatting and opening answer the server', async () => {
  await inWorld(async (world) => {
    const editor = openDocument(PATH, TEXT);
    const { document } = editor;
    done.answers = ['red', ['a', 'b'], 'free'];
    const questions = [
      { text: 'Which?', type: 'SingleChoice', choices: ['red'] },
      { text: 'Many?', type: 'MultiChoice', choices: ['a', 'b'] },
      { text: 'Say', type: 'FreeText' },
    ];
    assert.deepEqual(await world.server.sendRequest(wire.question, { questions }), {
      answers: [
        { question: 'Which?', selected: ['red'] },
        { question: 'Many?', selected: ['a', 'b'] },
        { question: 'Say', text: 'free' },
      ],
    });
    assert.deepEqual(done.asked.map(({ title }) => title), ['Redline asks (1 of 3)', 'Redline asks (2 of 3)', 'Redline asks (3 of 3)']);
    const left = [{ text: 'Which?', type: 'SingleChoice', choices: ['red'], required: true }];
    assert.equal(await world.server.sendRequest(wire.question, { questions: left }), null);
    document.isDirty = true;
    assert.deepEqual(await world.server.sendRequest(wire.save, { uris: [URI, 'file:///ws/closed.rs'] }), { saved: [URI] });
    assert.deepEqual([document.saves, await world.server.sendRequest(wire.save, { uris: [URI] }), document.saves], [1, { saved: [URI] }, 1]);
    document.save = () => Promise.resolve(false);
    document.isDirty = true;
    assert.deepEqual(await world.server.sendRequest(wire.save, { uris: [URI] }), { saved: [] });
    assert.deepEqual(await world.server.sendRequest(wire.format, { uri: URI }), { formatted: false });
    done.formatting = [{ range: new Range(0, 0, 0, 4), newText: 'LINE' }];
    assert.deepEqual(await world.server.sendRequest(wire.format, { uri: URI, preview: true }), {
      formatted: true,
      edits: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } }, newText: 'LINE' }],
      version: document.version,
    });
    assert.match(document.text, /^line 0\n/);
    assert.deepEqual(await world.server.sendRequest(wire.format, { uri: URI }), { formatted: true });
    assert.match(document.text, /^LINE 0\n/);
    const range = { start: { line: 9, character: 0 }, end: { line: 9, character: 2 } };
    assert.equal(await world.server.sendRequest(wire.open, { uri: URI, range, preview: true }), null);
    assert.deepEqual([editor.selection.active.line, editor.revealed.at(-1)?.start.line], [0, 9]);
    await world.server.sendRequest(wire.open, { uri: URI, range, preview: false });
    assert.equal(editor.selection.active.line, 9);
  });
});

test('nothing of a server that ended stays', async () => {
  await inWorld(async (world) => {
    const editor = openDocument(PATH, TEXT);
    await shows(world, review(1, 1, [hunk('a', 5, line(5), 'new\n')]));
    const reply = world.server.sendRequest(wire.permission, ask('A1'));
    await until(() => done.messages.length === 1, 'the ask');
    world.app.disconnected();
    assert.equal(await reply, null);
    assert.deepEqual([seen(editor).threads, done.badge, done.contexts.get('redline.hasHunks')], [[], undefined, false]);
    await world.run('prompt', 'hello');
    assert.deepEqual(done.passing, ['no server']);
  });
});

test('a prompt that is given while the server starts waits for it', async () => {
  await inWorld(async (world) => {
    world.answers.set(wire.prompt, () => ({ threadId: 'T1', turnId: 't1' }));
    world.app.disconnected();
    let start: () => void = () => undefined;
    world.app.server.comes(new Promise<void>((started) => { start = started; }));
    const prompt = world.run('prompt', 'early');
    await world.settled();
    assert.deepEqual([world.got, done.passing], [[], []]);
    await world.app.connected({
      sendRequest: (method, params) => {
        world.got.push({ method, params });
        return Promise.resolve((world.answers.get(method)?.(params as never) ?? { files: [] }) as never);
      },
      sendNotification: () => Promise.resolve(),
    });
    start();
    await prompt;
    assert.equal(world.got.at(-1)?.method, wire.prompt);
  });
});

test('a server that knows hunks already shows them at once', async () => {
  await inWorld(async (world) => {
    const editor = openDocument(PATH, TEXT);
    world.answers.set(wire.reviews, () => ({ files: [review(4, 1, [hunk('a', 5, line(5), 'new\n')])] }));
    await world.app.connected({
      sendRequest: (method, params) => Promise.resolve(world.answers.get(method)?.(params as never) as never),
      sendNotification: () => Promise.resolve(),
    });
    assert.deepEqual(red(editor), ['5']);
  });
});

test('a prompt carries what the user has before them, and goes on with its thread', async () => {
  await inWorld(async (world) => {
    const editor = openDocument(PATH, TEXT);
    world.answers.set(wire.prompt, () => ({ threadId: 'T1', turnId: 't1' }));
    await world.run('prompt', 'do it');
    editor.selection = Object.assign(editor.selection, { start: new Position(1, 0), end: new Position(2, 3) });
    done.answers = ['and this'];
    await world.run('prompt');
    await world.run('newThread');
    await world.run('prompt', { text: 'third', threadId: 'T9' });
    const range = { start: { line: 1, character: 0 }, end: { line: 2, character: 3 } };
    assert.deepEqual(world.got.map(({ params }) => params), [
      { text: 'do it', context: { activeUri: URI, openUris: [URI] } },
      { text: 'and this', threadId: 'T1', context: { activeUri: URI, openUris: [URI], selection: { uri: URI, range } } },
      { text: 'third', threadId: 'T9', context: { activeUri: URI, openUris: [URI], selection: { uri: URI, range } } },
    ]);
    assert.equal(done.contexts.get('redline.working'), true);
    await world.run('cancel');
    assert.deepEqual(world.got.at(-1), { method: wire.cancel, params: { threadId: 'T1' } });
  });
});

test('the end of a turn is said once, and only if the window does not show what waits', async () => {
  await inWorld(async (world) => {
    const end = { threadId: 'T1', turnId: 't1', seq: 9, event: { type: 'turnEnd', reason: 'awaitingReview' } };
    await shows(world, review(1, null, [hunk('a', 5, line(5), 'new\n')]));
    await world.server.sendNotification(wire.threadEvent, end);
    await world.settled();
    assert.deepEqual([onlyMessage().text, onlyMessage().items], ['Redline: 1 change to review in 1 file', ['Review']]);
    done.messages = [];
    openDocument(PATH, TEXT);
    await world.server.sendNotification(wire.threadEvent, { ...end, turnId: 't2' });
    await world.settled();
    assert.deepEqual([done.messages.length, done.passing.length], [0, 1]);
  });
});

test('the proposed text can be edited before it is accepted', async () => {
  await inWorld(async (world) => {
    openDocument(PATH, TEXT);
    const a = hunk('a', 5, line(5), 'one\ntwo\n');
    await shows(world, review(1, 1, [a, hunk('b', 9, line(9), 'b\n')]));
    await world.run('edit', { key: URI, id: 'a' });
    const [thread] = done.threads;
    assert.ok(thread);
    assert.deepEqual([thread.comments[0]?.body, thread.comments[0]?.mode], ['one\ntwo', 0]);
    // another hunk changes meanwhile: the edited one is not touched
    await shows(world, review(2, 1, [a, hunk('b', 9, line(9), 'other\n')]));
    assert.equal(thread.comments[0]?.body, 'one\ntwo');
    const comment = Object.assign(thread.comments[0] as object, { body: 'one\nthree' });
    await world.run('saveEdit', comment);
    const expected = { action: 'accept', uri: URI, hunks: ['a'], finalText: 'one\nthree\n', revision: 2 };
    assert.deepEqual(world.got.map(({ params }) => params), [expected]);
    // the hunk itself changes: nothing is sent, and the text stays to be seen
    await world.run('edit', { key: URI, id: 'a' });
    await shows(world, review(3, 1, [hunk('a', 5, line(5), 'else\n')]));
    assert.equal(thread.comments[0].body, 'one\ntwo');
    await world.run('saveEdit', thread.comments[0]);
    assert.equal(world.got.length, 1);
    assert.match(onlyMessage().text, /not what it was/);
  });
});

test('a change that goes away while it is edited is not lost silently', async () => {
  await inWorld(async (world) => {
    openDocument(PATH, TEXT);
    await shows(world, review(1, 1, [hunk('a', 5, line(5), 'one\n')]));
    await world.run('edit', { key: URI, id: 'a' });
    await shows(world, review(2, 1, []));
    assert.match(onlyMessage().text, /is gone/);
  });
});

test('a proposed file is a document of its own until it is there', async () => {
  await inWorld(async (world) => {
    const created = review(1, null, [hunk('a', 0, '', 'one\ntwo\n')], { change: 'created' });
    await shows(world, created);
    await world.run('openHunk', { kind: 'hunk', key: URI, id: 'a' });
    const editor = window.activeTextEditor;
    assert.equal(editor?.document.uri.toString(), `redline-pending://${PATH}`);
    assert.equal(await done.contents.get('redline-pending')?.provideTextDocumentContent(editor.document.uri), 'one\ntwo\n');
    world.answers.set(wire.content, () => ({ text: 'newest\n' }));
    assert.equal(await done.contents.get('redline-pending')?.provideTextDocumentContent(editor.document.uri), 'newest\n');
    await world.run('accept');
    assert.deepEqual((world.got.at(-1)?.params as wire.ResolveParams).hunks, ['a']);
    const tab = { input: undefined as unknown, isActive: true, group: { isActive: true, viewColumn: 1 } };
    const { TabInputText } = await import('./fake-vscode');
    tab.input = new TabInputText(editor.document.uri);
    window.tabGroups.all = [{ tabs: [tab] }];
    done.files.add(PATH);
    await shows(world, review(2, null, [hunk('a', 0, '', '', { state: 'accepted' })]));
    await until(() => window.activeTextEditor?.document.uri.toString() === URI, 'the file itself');
    assert.deepEqual(seen(editor), { rows: [], threads: [], lenses: [] });
    window.tabGroups.all = [];
  });
});

test('a proposed file whose path is open already is shown there', async () => {
  await inWorld(async (world) => {
    const editor = openDocument(PATH, '');
    await shows(world, review(1, 1, [hunk('a', 0, '', 'one\n')], { change: 'created' }));
    assert.deepEqual(red(editor), ['0']);
    await world.run('openHunk', { kind: 'hunk', key: URI, id: 'a' });
    assert.equal(window.activeTextEditor, editor);
  });
});

test('closing the proposal leaves the hunks of the file itself', async () => {
  await inWorld(async (world) => {
    const proposal = openDocument(PATH, 'one\n', 'redline-pending');
    const editor = openDocument(PATH, TEXT);
    await shows(world, review(1, 1, [hunk('a', 5, line(5), 'new\n')]));
    workspace.textDocuments = [editor.document];
    fired.closed.fire(proposal.document);
    world.app.review.refreshAll();
    assert.deepEqual(red(editor), ['5']);
    editor.document.edit([{ range: new Range(0, 0, 0, 0), text: 'above\n' }]);
    assert.deepEqual(red(editor), ['6']);
  });
});

test('lenses are asked for again when they change, twice to be sure, and only then', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  await inWorld(async (world) => {
    const editor = openDocument(PATH, TEXT);
    let times = 0;
    done.lensProvider?.onDidChangeCodeLenses(() => { times += 1; });
    const a = hunk('a', 5, line(5), 'new\n');
    await shows(world, review(1, 1, [a]));
    assert.equal(times, 1);
    mock.timers.tick(1000);
    assert.equal(times, 2);
    editor.document.edit([{ range: new Range(20, 0, 20, 0), text: 'x' }]);
    await shows(world, review(1, 2, [a]));
    mock.timers.tick(1000);
    assert.equal(times, 2);
    await shows(world, review(2, 2, [{ ...a, state: 'accepting' }]));
    assert.equal(times, 3);
  });
  mock.timers.reset();
});

test('the tree: asks, files with their hunks, what was decided; typing beside them leaves it alone', async () => {
  await inWorld(async (world) => {
    const editor = openDocument(PATH, TEXT);
    let times = 0;
    const told = (): unknown[] => {
      const all = (node?: unknown): unknown[] =>
        (done.tree?.getChildren(node) ?? []).flatMap((child) => {
          const item: Record<string, unknown> = done.tree?.getTreeItem(child) ?? {};
          const { label, description, contextValue } = item;
          const name = label instanceof Uri ? label.path : label;
          return [[name, description, contextValue], ...all(child)];
        });
      return all();
    };
    done.tree?.onDidChangeTreeData(() => { times += 1; });
    const hunks = [hunk('a', 5, line(5), 'new\nmore\n', { mixed: true }), hunk('b', 9, '', '', { state: 'rejected' })];
    await shows(world, review(1, 1, hunks));
    const reply = world.server.sendRequest(wire.permission, ask('A1'));
    await until(() => done.messages.length === 1, 'the ask');
    assert.deepEqual(told(), [
      ['Bash: may it run this?', 'cargo test', 'ask'],
      ['/ws/src/main.rs', '−1 +2  src', 'file'],
      ['6: new', '−1 +2  contains your typing', 'hunk.pending'],
      ['Decided (1)', undefined, 'decided'],
      ['10: ', 'rejected  main.rs', 'hunk.decided'],
    ]);
    const before = times;
    editor.document.edit([{ range: new Range(20, 0, 20, 0), text: 'x' }]);
    await shows(world, review(1, 2, hunks));
    assert.equal(times, before);
    await world.run('rejectAsk', { askId: 'A1' });
    await reply;
    assert.deepEqual([times, told().length, done.badge?.value], [before + 1, 4, 1]);
  });
});

test('reopening takes the decided hunk that is nearest', async () => {
  await inWorld(async (world) => {
    const editor = openDocument(PATH, TEXT);
    await world.run('reopen');
    assert.match(done.passing.at(-1) ?? '', /nothing decided/);
    await shows(world, review(1, 1, [hunk('a', 5, '', '', { state: 'rejected' }), hunk('b', 30, line(30), '', { state: 'accepted' })]));
    editor.moveTo(25);
    await world.run('reopen');
    await world.run('reopen', { kind: 'hunk', key: URI, id: 'a' });
    assert.deepEqual(world.got.map(({ params }) => (params as wire.ResolveParams).hunks), [['b'], ['a']]);
  });
});

test('without visible comments a thread is not made, and comes when they are visible again', async () => {
  await inWorld(async (world) => {
    const editor = openDocument(PATH, TEXT);
    done.settings.set('comments.visible', false);
    await shows(world, review(1, 1, [hunk('a', 5, line(5), 'new\n')]));
    assert.equal(done.threads.length, 0);
    assert.ok(seen(editor).lenses.some((title) => title.includes('Diff')));
    const hover = (row: number) => done.hoverProvider?.provideHover(editor.document, new Position(row, 2))?.contents.value;
    assert.deepEqual([hover(4), hover(5)], [undefined, '```rust\nnew\n```\n']);
    done.settings.delete('comments.visible');
    fired.configuration.fire({ affectsConfiguration: (section) => section === 'comments' });
    assert.equal(done.threads.length, 1);
  });
});

test('the cursor chooses the thread where there are many', async () => {
  await inWorld(async (world) => {
    const editor = openDocument(PATH, TEXT);
    const hunks = Array.from({ length: 7 }, (_, i) => hunk(`h${String(i)}`, i * 5, line(i * 5), 'x\n'));
    await shows(world, review(1, 1, hunks));
    assert.deepEqual(red(editor), ['0']);
    editor.moveTo(15);
    assert.deepEqual([red(editor), done.contexts.get('redline.atHunk')], [['15'], true]);
    // beside a hunk the last one stays: the view does not jump about
    editor.moveTo(17);
    assert.deepEqual([red(editor), done.contexts.get('redline.atHunk')], [['15'], false]);
    await world.run('next');
    assert.deepEqual([red(editor), editor.selection.active.line], [['20'], 20]);
    await world.run('previous');
    assert.equal(editor.selection.active.line, 15);
  });
});

test('a conflict has a new thread: the editor may have moved the old one along with the text', async () => {
  await inWorld(async (world) => {
    const editor = openDocument(PATH, TEXT);
    await shows(world, review(1, 1, [hunk('a', 5, line(5), 'new\n')]));
    const [before] = done.threads;
    await shows(world, review(2, 1, [hunk('a', 5, line(5), 'new\n', { state: 'conflict' })]));
    assert.deepEqual([red(editor), done.threads.length, done.threads[0] === before], [['5'], 1, false]);
  });
});

test('a document that is closed loses its threads, and has them again when it is back', async () => {
  await inWorld(async (world) => {
    const editor = openDocument(PATH, TEXT);
    await shows(world, review(1, 1, [hunk('a', 5, line(5), 'new\n')]));
    workspace.textDocuments = [];
    window.visibleTextEditors = [];
    fired.closed.fire(editor.document);
    assert.equal(done.threads.length, 0);
    const again = openDocument(PATH, TEXT);
    await shows(world, review(1, 1, [hunk('a', 5, line(5), 'new\n')]));
    assert.deepEqual(red(again), ['5']);
    assert.equal(Uri.parse(URI).toString(), URI);
  });
});
