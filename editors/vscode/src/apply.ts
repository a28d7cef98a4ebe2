/** What the server asks of documents: edits, saving, opening, formatting. */
import * as vscode from 'vscode';
import type { ApplyWorkspaceEditParams, ApplyWorkspaceEditResult } from 'vscode-languageserver-protocol';
import { follow, type TextEdit } from './follow';
import type * as wire from './protocol';
import { editorsOf, type View } from './view';

const PAUSE_MS = 60;
const PAUSE_LIMIT_MS = 1_500;

interface Wanted {
  uri: string;
  version: number | null;
  edits: TextEdit[];
}

const find = (uri: string): vscode.TextDocument | undefined => {
  const wanted = vscode.Uri.parse(uri).toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === wanted);
};

const position = ({ line, character }: wire.Range['start']): vscode.Position =>
  new vscode.Position(line, character);
const plain = ({ start, end }: vscode.Range): wire.Range => ({
  start: { line: start.line, character: start.character },
  end: { line: end.line, character: end.character },
});
export const range = ({ start, end }: wire.Range): vscode.Range =>
  new vscode.Range(position(start), position(end));

/** `workspace/applyEdit`: all documents at the versions named, or none. Never a refactoring: that
 * would let `files.refactoring.autoSave` write the file. */
export async function applyEdit(
  params: ApplyWorkspaceEditParams,
  view: View,
): Promise<ApplyWorkspaceEditResult> {
  const wanted = documentsOf(params);
  if (!wanted) return { applied: false, failureReason: 'only edits of text are supported' };
  const edit = new vscode.WorkspaceEdit();
  const restores: (() => void)[] = [];
  for (const one of wanted) {
    const document = find(one.uri);
    const failureReason = refusal(one, document);
    if (!document || failureReason !== undefined) {
      if (document) await pause(document);
      return { applied: false, failureReason: failureReason ?? '' };
    }
    for (const { range: at, newText } of one.edits) edit.replace(document.uri, range(at), newText);
    view.hold(document, one.edits.map(({ range: { start } }) => start.line), one.edits);
    restores.push(...editorsOf(document).map((editor) => keep(editor, one.edits)));
  }
  const applied = await vscode.workspace.applyEdit(edit);
  if (!applied) {
    await Promise.all(wanted.map(({ uri }) => pause(find(uri))));
    return { applied, failureReason: 'the document changed meanwhile' };
  }
  for (const restore of restores) restore();
  return { applied };
}

/**
 * The user is faster than the edit. The server will send it anew for the text as it is then, but not
 * endlessly: it had better be asked when there is a pause.
 */
function pause(document: vscode.TextDocument | undefined): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      typing.dispose();
      clearTimeout(quiet);
      clearTimeout(limit);
      resolve();
    };
    let quiet = setTimeout(over, PAUSE_MS);
    const limit = setTimeout(over, PAUSE_LIMIT_MS);
    const typing = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document !== document) return;
      clearTimeout(quiet);
      quiet = setTimeout(over, PAUSE_MS);
    });
  });
}

function documentsOf({ edit }: ApplyWorkspaceEditParams): Wanted[] | undefined {
  const found: Wanted[] = [];
  for (const change of edit.documentChanges ?? []) {
    if (!('textDocument' in change)) return undefined;
    const edits = change.edits.filter((one): one is TextEdit & typeof one => 'newText' in one);
    if (edits.length !== change.edits.length) return undefined;
    found.push({ ...change.textDocument, edits });
  }
  for (const [uri, edits] of Object.entries(edit.changes ?? {})) found.push({ uri, version: null, edits });
  return found;
}

function refusal({ uri, version }: Wanted, document: vscode.TextDocument | undefined): string | undefined {
  if (!document) return `${uri} is not open`;
  if (version === null || version === document.version) return undefined;
  return `${uri} is at version ${String(document.version)}, the edit is for ${String(version)}`;
}

/** The editor would put the cursor behind new text: it stays where the user had it. */
function keep(editor: vscode.TextEditor, edits: readonly TextEdit[]): () => void {
  const { selections, document } = editor;
  const { version } = document;
  return () => {
    if (document.version !== version + 1) return;
    const at = (from: vscode.Position): vscode.Position => document.validatePosition(position(follow(from, edits)));
    const wanted = selections.map(({ anchor, active }) => new vscode.Selection(at(anchor), at(active)));
    const same = wanted.every((selection, i) => editor.selections[i]?.isEqual(selection));
    if (!same) editor.selections = wanted;
  };
}

/** `redline/save`. A file that changed on disk is not written over: the editor says so itself. */
export async function save({ uris }: wire.SaveParams): Promise<wire.SaveResult> {
  const saved: string[] = [];
  for (const uri of uris) {
    const document = find(uri);
    if (document && (!document.isDirty || (await document.save()))) saved.push(uri);
  }
  return { saved };
}

/** `redline/open`. A preview leaves the focus and the cursor where they are. */
export async function open(params: wire.OpenParams): Promise<null> {
  const preview = params.preview ?? true;
  const uri = vscode.Uri.parse(params.uri);
  const editor = await vscode.window.showTextDocument(uri, { preview, preserveFocus: preview });
  if (params.range) {
    const at = editor.document.validateRange(range(params.range));
    if (!preview) editor.selection = new vscode.Selection(at.start, at.start);
    editor.revealRange(at, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
  return null;
}

/** `redline/format`: with whatever formatter the user has. A preview leaves the document alone: its
 * edits become a proposal. */
export async function format({ uri, preview }: wire.FormatParams): Promise<wire.FormatResult> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  const { version } = document;
  const editor = editorsOf(document)[0];
  const options = { tabSize: editor?.options.tabSize ?? 4, insertSpaces: editor?.options.insertSpaces ?? true };
  const edits = await vscode.commands.executeCommand<vscode.TextEdit[] | undefined>(
    'vscode.executeFormatDocumentProvider',
    document.uri,
    options,
  );
  if (!edits || edits.length === 0) return { formatted: false };
  if (preview) return { formatted: true, edits: edits.map(({ range: at, newText }) => ({ range: plain(at), newText })), version };
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, edits);
  return { formatted: await vscode.workspace.applyEdit(edit) };
}
