/** `redline demo`: opens the sample and says what the user would say. */
import * as vscode from 'vscode';
import type { App } from './app';

const HOW = 'Redline demo: red lines are what the agent would replace, the box under them is what it proposes. Accept or reject above each change; write into the box to tell it what to do instead.';

const FIRST = 'Go to the First Change';

export async function demo(app: App): Promise<void> {
  const prompt = process.env['REDLINE_DEMO_PROMPT'];
  const file = process.env['REDLINE_DEMO_OPEN'];
  if (prompt === undefined || prompt === '') return;
  if (file !== undefined && file !== '') {
    await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
  }
  await app.prompt.start({ text: prompt });
  // A message with a button is shown whole.
  const picked = await vscode.window.showInformationMessage(HOW, FIRST);
  if (picked !== undefined) await vscode.commands.executeCommand('redline.next');
}
