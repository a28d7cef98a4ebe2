/** What a test sees of an editor. */
import * as wire from '../src/protocol';
import { done, type TextEditor, type Thread } from './fake-vscode';
import type { World } from './world';

/** What is to be seen in an editor: red rows, threads, lenses. */
export function seen(editor: TextEditor) {
  const uri = editor.document.uri.toString();
  const rows = [...editor.decorations.entries()].flatMap(([{ options }, some]) =>
    some.map((range) => `${JSON.stringify(options['backgroundColor'] ?? options['borderWidth'])} ${String(range.start.line)}-${String(range.end.line)}`),
  );
  const body = ({ comments: [comment] }: Thread) => (typeof comment?.body === 'string' ? comment.body : comment?.body.value);
  const threads = done.threads
    .filter((thread) => thread.uri.toString() === uri)
    .map((thread) => `${String(thread.range.start.line)} ${thread.label ?? ''} ${body(thread) ?? ''}`);
  const lenses = (done.lensProvider?.provideCodeLenses(editor.document) ?? []).map(
    ({ range, command: { title } }) => `${String(range.start.line)} ${title}`,
  );
  return { rows: rows.sort(), threads: threads.sort(), lenses };
}

/** The rows that threads stand under. */
export const red = (editor: TextEditor) => seen(editor).threads.map((text) => text.split(' ')[0]);

/** Sends reviews and waits until they are drawn. */
export async function shows(world: World, ...reviews: wire.Review[]): Promise<void> {
  for (const one of reviews) await world.server.sendNotification(wire.review, one);
  await world.settled();
}
