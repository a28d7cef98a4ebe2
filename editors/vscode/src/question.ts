/** `redline/question`: one question after the other, as quick picks and input boxes. */
import * as vscode from 'vscode';
import type { Answer, Question, QuestionParams, QuestionResult } from './protocol';
import { plain } from './words';

/** Where a question stands: what its dialog is headed with. */
interface Dialog {
  title: string;
  token: vscode.CancellationToken | undefined;
}

/** The question stays open, which only one that need not be answered can. */
const OPEN = Symbol('open');
type Reply = Answer | typeof OPEN | undefined;

/** `null`: the user does not want to answer. `token`: nobody waits for it any more. */
export async function askQuestions(
  { questions }: QuestionParams,
  token?: vscode.CancellationToken,
): Promise<QuestionResult | null> {
  const answers: Answer[] = [];
  for (const [index, question] of questions.entries()) {
    const step = questions.length > 1 ? ` (${String(index + 1)} of ${String(questions.length)})` : '';
    const answer = await one(question, { title: `Redline asks${step}`, token });
    if (!answer) return null;
    if (answer !== OPEN) answers.push(answer);
  }
  return { answers };
}

/** Puts the question until it has an answer that will do; `undefined`: it was dismissed. */
async function one(question: Question, dialog: Dialog): Promise<Reply> {
  let note = question.note;
  for (;;) {
    const title = [dialog.title, note].filter(Boolean).join(': ');
    const reply = await ask[question.type](question, { ...dialog, title });
    if (reply !== OPEN || !(question.required ?? false)) return reply;
    note = 'this question needs an answer';
  }
}

const ask: Record<Question['type'], (question: Question, dialog: Dialog) => Promise<Reply>> = {
  async SingleChoice(question, dialog) {
    const { text, required = false } = question;
    const items: Choice[] = [...choices(question), own];
    if (!required) items.push({ label: '$(circle-slash) No answer', means: 'nothing' });
    const picked = await vscode.window.showQuickPick(items, options(question, dialog), dialog.token);
    switch (picked?.means) {
      case undefined: return undefined;
      case 'nothing': return OPEN;
      case 'own': return written(question, '', dialog);
      case 'choice': return { question: text, selected: [picked.choice ?? ''] };
    }
  },

  async MultiChoice(question, dialog) {
    const items: Choice[] = [...choices(question), own];
    const several = { ...options(question, dialog), canPickMany: true as const };
    const picked = await vscode.window.showQuickPick(items, several, dialog.token);
    if (!picked) return undefined;
    const selected = picked.flatMap(({ choice }) => (choice === undefined ? [] : [choice]));
    const more = picked.some(({ means }) => means === 'own') ? await written(question, '', dialog) : OPEN;
    if (more === undefined) return undefined;
    if (more === OPEN) return selected.length > 0 ? { question: question.text, selected } : OPEN;
    return { ...more, selected };
  },

  FreeText: (question, dialog) => written(question, question.defaultValue ?? '', dialog),
};

interface Choice extends vscode.QuickPickItem {
  means: 'choice' | 'own' | 'nothing';
  choice?: string;
}

/** Users are not restricted to the choices. */
const own: Choice = { label: '$(edit) Something else…', means: 'own' };

function choices({ choices = [] }: Question): Choice[] {
  return choices.map((choice) => ({ label: plain(choice), means: 'choice', choice }));
}

function options({ text, required = false }: Question, { title }: Dialog): vscode.QuickPickOptions {
  return { title, placeHolder: required ? `${text} (needs an answer)` : text, ignoreFocusOut: true };
}

async function written(question: Question, value: string, { title, token }: Dialog): Promise<Reply> {
  const { text, required = false } = question;
  const input: vscode.InputBoxOptions = { title, prompt: text, value, ignoreFocusOut: true };
  if (required) input.validateInput = (typed) => (typed.trim() === '' ? 'This question needs an answer' : undefined);
  else input.placeHolder = 'Enter alone: no answer';
  const typed = await vscode.window.showInputBox(input, token);
  if (typed === undefined) return undefined;
  return typed.trim() === '' ? OPEN : { question: text, text: typed };
}
