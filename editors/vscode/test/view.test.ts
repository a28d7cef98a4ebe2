import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESTORES, View } from '../src/view';
import { fired, openDocument, reset, TextEditorSelectionChangeKind, type TextEditor } from './fake-vscode';
import { PATH } from './samples';
import { until } from './world';

const TEXT = 'x\n'.repeat(200);

async function scrolledTo(top: number, use: (view: View, editor: TextEditor) => Promise<void>): Promise<void> {
  reset();
  const view = new View();
  const editor = openDocument(PATH, TEXT);
  editor.scrollTo(top);
  try {
    await use(view, editor);
  } finally {
    view.dispose();
  }
}

test('what changes above the view does not move it', () =>
  scrolledTo(60, async (view, editor) => {
    view.hold(editor.document as never, [10]);
    // threads go one by one
    editor.scrollTo(70);
    editor.scrollTo(80);
    await until(() => editor.revealed.length === 1, 'the top line is back');
    assert.equal(editor.revealed[0]?.start.line, 60);
  }));

test('lines that come above move the top line along', () =>
  scrolledTo(60, async (view, editor) => {
    const at = { line: 10, character: 0 };
    view.hold(editor.document as never, [10], [{ range: { start: at, end: at }, newText: 'a\nb\n' }]);
    view.hold(editor.document as never, [10]);
    editor.scrollTo(90);
    await until(() => editor.revealed.length === 1, 'the top line is back');
    assert.equal(editor.revealed[0]?.start.line, 62);
  }));

test('what changes in the view, or a user who goes elsewhere, is left alone', () =>
  scrolledTo(60, async (view, editor) => {
    const other = openDocument('/ws/other.rs', TEXT);
    /** Until a view that was moved later is back, one that was moved before would be back as well. */
    const later = async (): Promise<void> => {
      other.scrollTo(60);
      view.hold(other.document as never, [0]);
      other.scrollTo(99);
      const before = other.revealed.length;
      await until(() => other.revealed.length > before, 'the other editor, which is held');
      view.release(other as never);
    };
    view.hold(editor.document as never, [65]);
    editor.scrollTo(70);
    await later();
    assert.equal(editor.revealed.length, 0);
    view.hold(editor.document as never, [10]);
    fired.selection.fire({ textEditor: editor, kind: TextEditorSelectionChangeKind.Mouse });
    editor.scrollTo(120);
    await later();
    assert.equal(editor.revealed.length, 0);
  }));

test('a user who goes on scrolling wins', () =>
  scrolledTo(60, async (view, editor) => {
    view.hold(editor.document as never, [10]);
    for (let times = 1; times <= RESTORES; times += 1) {
      editor.scrollTo(100 + times);
      await until(() => editor.revealed.length === times, 'the top line is back');
    }
    editor.scrollTo(150);
    view.hold(editor.document as never, [10]);
    editor.scrollTo(160);
    await until(() => editor.revealed.length === RESTORES + 1, 'a new change, a new hold');
    assert.equal(editor.revealed[RESTORES]?.start.line, 150);
  }));

test('an editor that stops short, for its sticky lines, is told to go further', () =>
  scrolledTo(60, async (view, editor) => {
    const sticky = 5;
    const reveal = editor.revealRange.bind(editor);
    editor.revealRange = (range) => {
      reveal(range);
      editor.scrollTo(range.start.line - sticky);
    };
    view.hold(editor.document as never, [10]);
    editor.scrollTo(52);
    await until(() => editor.visibleRanges[0]?.start.line === 60, 'the top line is back');
    assert.deepEqual(editor.revealed.map(({ start }) => start.line), [60, 65]);
  }));
