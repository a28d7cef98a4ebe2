/** Undo and redo are reported, so that the server need not guess. */
import * as vscode from 'vscode';
import type { ChangeReason } from './protocol';

type Event = vscode.TextDocumentChangeEvent;

/** Tells why a document changes, before the change itself goes out. */
export function tellReason(
  send: (params: ChangeReason) => Promise<void>,
  event: Event,
  next: (event: Event) => Promise<void>,
): Promise<void> {
  const reason = reasonOf(event.reason);
  if (reason && event.contentChanges.length > 0) {
    const { uri, version } = event.document;
    // Not awaited: both go the same way, so this one is on the wire first.
    send({ uri: uri.toString(), version, reason }).catch(() => undefined);
  }
  return next(event);
}

function reasonOf(reason: vscode.TextDocumentChangeReason | undefined): ChangeReason['reason'] | undefined {
  if (reason === vscode.TextDocumentChangeReason.Undo) return 'undo';
  return reason === vscode.TextDocumentChangeReason.Redo ? 'redo' : undefined;
}
