/** The second step of an ask: where a rule shall count, and the rule itself, which can be edited before it is added. */
import * as vscode from 'vscode';
import { title } from './asks';
import type { Guard } from './guard';
import type { Ask, AskAnswer, AskOption, OptionId } from './protocol';
import { fromBox, problem, rulesOf, signs, toBox } from './rule';
import { plain, visible } from './words';

/** An option that adds rules. */
type Lasting = AskOption & { covers: string };
type Scope = vscode.QuickPickItem & { option?: Lasting };

export const isLasting = (option: AskOption): option is Lasting => option.covers !== undefined;

/** A rule that does not fit into the box, or is not what it looks like there, is said below it. */
const WIDTH = 70;

/** The answer with the rule as the user left it; `undefined`: back, nothing is granted. */
export async function rules(ask: Ask, guard: Guard): Promise<AskAnswer | undefined> {
  const option = await scope(ask, guard);
  if (!option) return undefined;
  const all = rulesOf(option.covers);
  const edited: string[] = [];
  for (const [index, rule] of all.entries()) {
    const step = all.length > 1 ? ` (rule ${String(index + 1)} of ${String(all.length)})` : '';
    const typed = await guard.ask(() => box(rule, `${option.label}${step}`, counts(option.id)));
    if (typed === undefined) return undefined;
    edited.push(fromBox(typed, rule));
  }
  return { option: option.id, rule: edited.join('\n') };
}

async function scope(ask: Ask, guard: Guard): Promise<Lasting | undefined> {
  const items: Scope[] = [
    // The first has the focus: Enter must not allow anything.
    { label: '$(arrow-left) Back', description: 'nothing is allowed yet' },
    ...ask.options.filter(isLasting).map((option) => ({
      label: `$(${ICONS[option.id] ?? 'check'}) ${plain(option.label)}…`,
      description: counts(option.id),
      detail: plain(visible(rulesOf(option.covers).map(toBox).join('   '))),
      option,
    })),
  ];
  const options = { title: title(ask), placeHolder: 'Where shall the rule count? You see it whole, and can edit it, before it is added.', ignoreFocusOut: true };
  return (await guard.ask(() => vscode.window.showQuickPick(items, options)))?.option;
}

const ICONS: Partial<Record<OptionId, string>> = { session: 'watch', folder: 'folder', always: 'globe' };

/** Where and how long a rule counts. */
function counts(id: OptionId): string {
  switch (id) {
    case 'session': return 'until the server ends';
    case 'folder': return 'in this folder, from now on';
    case 'always': return 'in every folder, from now on';
    default: return '';
  }
}

function box(rule: string, heading: string, where: string): Thenable<string | undefined> {
  const breaks = signs(rule).map(([, sign]) => ` ${sign} is a line break.`).join('');
  const value = toBox(rule);
  return vscode.window.showInputBox({
    title: heading,
    prompt: `Counts ${where}. Esc goes back.${breaks}${isPlain(rule) ? '' : ` The rule: ${said(rule)}`}`,
    value,
    // At its end: selected as a whole it would go with the first key.
    valueSelection: [value.length, value.length],
    ignoreFocusOut: true,
    validateInput: (typed) => judged(fromBox(typed, rule), where),
  });
}

/** Stands in the prompt's place while it is edited. */
function judged(rule: string, where: string): string | vscode.InputBoxValidationMessage | undefined {
  const wrong = problem(rule);
  if (wrong !== undefined || isPlain(rule)) return wrong;
  return { message: `Counts ${where}. Esc goes back. The rule: ${said(rule)}`, severity: vscode.InputBoxValidationSeverity.Info };
}

/** Whether the box shows the rule as it is, and whole. */
const isPlain = (rule: string): boolean => rule.length <= WIDTH && visible(toBox(rule)) === rule;

const said = (rule: string): string => plain(visible(toBox(rule)));
