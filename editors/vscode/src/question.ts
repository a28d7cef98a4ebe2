/** `redline/question`: one question after the other, as quick picks and input boxes. */
import * as vscode from 'vscode';
import type { Answer, Question, QuestionParams, QuestionResult } from './protocol';

/** `null`: the user left a required question open. */
export async function askQuestions({ questions }: QuestionParams): Promise<QuestionResult | null> {
  const answers: Answer[] = [];
  for (const [index, question] of questions.entries()) {
    const step = questions.length > 1 ? ` (${String(index + 1)} of ${String(questions.length)})` : '';
    const answer = await one(question, `Redline asks${step}`);
    if (answer) answers.push(answer);
    else if (question.required ?? false) return null;
  }
  return { answers };
}

async function one(question: Question, title: string): Promise<Answer | undefined> {
  const { text, choices = [], defaultValue } = question;
  const options = { title, placeHolder: text, ignoreFocusOut: true };
  switch (question.type) {
    case 'FreeText': {
      const value = defaultValue === undefined ? {} : { value: defaultValue };
      const typed = await vscode.window.showInputBox({ title, prompt: text, ignoreFocusOut: true, ...value });
      return typed === undefined ? undefined : { question: text, text: typed };
    }
    case 'MultiChoice': {
      const picked = await vscode.window.showQuickPick(choices, { ...options, canPickMany: true });
      return picked && { question: text, selected: picked };
    }
    case 'SingleChoice': {
      const picked = await vscode.window.showQuickPick(choices, options);
      return picked === undefined ? undefined : { question: text, selected: [picked] };
    }
  }
}
