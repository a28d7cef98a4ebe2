import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdit } from '../src/apply';
import type { ChangeReason } from '../src/protocol';
import { serverSettings } from '../src/settings';
import { tellReason } from '../src/undo';
import { View } from '../src/view';
import { done, openDocument, Range, reset, Selection, TextDocumentChangeReason, workspace } from './fake-vscode';
import { PATH, URI } from './samples';

const edit = (version: number | null, newText = 'two\n', uri = URI) => ({
  edit: {
    documentChanges: [
      {
        textDocument: { uri, version },
        edits: [{ range: { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } }, newText }],
      },
    ],
  },
});

async function inView(use: (view: View) => Promise<void>): Promise<void> {
  reset();
  const view = new View();
  try {
    await use(view);
  } finally {
    view.dispose();
  }
}

test('an edit of the document as it is', () =>
  inView(async (view) => {
    const { document } = openDocument(PATH, 'a\nb\nc\n');
    assert.deepEqual(await applyEdit(edit(1), view), { applied: true });
    assert.deepEqual([document.text, document.version], ['a\ntwo\nc\n', 2]);
  }));

test('an edit of another version, of a closed document or of files changes nothing', () =>
  inView(async (view) => {
    const { document } = openDocument(PATH, 'a\nb\nc\n');
    document.version = 2;
    const old = await applyEdit(edit(1), view);
    assert.deepEqual([old.applied, old.failureReason], [false, `${URI} is at version 2, the edit is for 1`]);
    assert.match((await applyEdit(edit(1, 'x\n', 'file:///ws/closed.rs'), view)).failureReason ?? '', /is not open/);
    const create = { edit: { documentChanges: [{ kind: 'create' as const, uri: 'file:///ws/new.rs' }] } };
    assert.match((await applyEdit(create, view)).failureReason ?? '', /only edits of text/);
    assert.equal(document.text, 'a\nb\nc\n');
  }));

test('a refusal waits for a pause of the user', () =>
  inView(async (view) => {
    const { document } = openDocument(PATH, 'a\nb\nc\n');
    document.version = 2;
    let typed = 0;
    const typing = setInterval(() => {
      typed += 1;
      document.edit([{ range: new Range(0, 0, 0, 0), text: 'x' }]);
      if (typed === 6) clearInterval(typing);
    }, 15);
    assert.equal((await applyEdit(edit(1), view)).applied, false);
    assert.equal(typed, 6);
  }));

test('two documents of which one changed meanwhile: none is edited', () =>
  inView(async (view) => {
    const first = openDocument(PATH, 'a\nb\nc\n').document;
    openDocument('/ws/other.rs', 'a\nb\nc\n');
    const [one, two] = [edit(1), edit(9, 'x\n', 'file:///ws/other.rs')];
    const both = { edit: { documentChanges: [...one.edit.documentChanges, ...two.edit.documentChanges] } };
    assert.equal((await applyEdit(both, view)).applied, false);
    assert.equal(first.text, 'a\nb\nc\n');
  }));

test('the cursor stays where the user had it, though the edit moves it', () =>
  inView(async (view) => {
    const editor = openDocument(PATH, 'a\nbbbb\nc\n');
    editor.selection = new Selection(1, 2, 1, 2);
    const { applyEdit: really } = workspace;
    workspace.applyEdit = async (change) => {
      const applied = await really(change);
      editor.selection = new Selection(3, 0, 3, 0);
      return applied;
    };
    try {
      await applyEdit(edit(1, 'one\ntwo\n'), view);
    } finally {
      workspace.applyEdit = really;
    }
    assert.deepEqual([editor.selection.active.line, editor.selection.active.character], [1, 2]);
  }));

test('undo and redo are told before their change, anything else is not', async () => {
  reset();
  const sent: unknown[] = [];
  const { document } = openDocument(PATH, 'a\n');
  const send = (params: ChangeReason): Promise<void> => {
    sent.push(params);
    return new Promise(() => undefined);
  };
  const next = (): Promise<void> => {
    sent.push('didChange');
    return Promise.resolve();
  };
  const change = (reason: number | undefined, contentChanges: unknown[] = [{}]) =>
    tellReason(send, { document, contentChanges, reason } as never, next);
  await change(TextDocumentChangeReason.Undo);
  await change(TextDocumentChangeReason.Redo);
  await change(undefined);
  await change(TextDocumentChangeReason.Undo, []);
  assert.deepEqual(sent, [
    { uri: URI, version: 1, reason: 'undo' },
    'didChange',
    { uri: URI, version: 1, reason: 'redo' },
    'didChange',
    'didChange',
    'didChange',
  ]);
});

test('only settings that somebody has set go to the server, and whether the folder is trusted', () => {
  reset();
  assert.deepEqual(serverSettings(), { trusted: true });
  workspace.isTrusted = false;
  done.settings.set('redline.provider', 'script');
  done.settings.set('redline.review.wait', 'edit');
  done.settings.set('redline.saveOnAccept', false);
  done.settings.set('redline.audit', false);
  const set = { provider: 'script', review: { wait: 'edit' }, saveOnAccept: false, audit: false };
  assert.deepEqual(serverSettings(), { trusted: false, ...set });
});

test("rules of Amp go along, the user's and nobody else's", () => {
  reset();
  const mine = [{ tool: 'Bash', action: 'reject' }];
  done.settings.set('amp.permissions', mine);
  assert.deepEqual(serverSettings(), { trusted: true, 'amp.permissions': mine });
  done.settings.delete('amp.permissions');
  done.workspaceSettings.set('amp.permissions', [{ tool: '*', action: 'allow' }]);
  assert.deepEqual(serverSettings(), { trusted: true });
});
