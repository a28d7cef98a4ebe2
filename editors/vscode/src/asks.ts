/** The asks that wait for the user. Nothing here is shown, and nothing is ever allowed by default. */
import type { Ask, AskAnswer, AskOption } from './protocol';

interface Open {
  ask: Ask;
  done: (answer: AskAnswer | null) => void;
}

export class Asks {
  private readonly open = new Map<string, Open>();
  /** Why asks that ended without the user ended: for late clicks. */
  private readonly withdrawn = new Map<string, string>();

  constructor(private readonly changed: () => void = () => undefined) {}

  /** Waits until the user answers; `null`: it was withdrawn. */
  async add(ask: Ask): Promise<AskAnswer | null> {
    const answer = new Promise<AskAnswer | null>((done) => {
      this.open.get(ask.askId)?.done(null);
      this.open.set(ask.askId, { ask, done });
    });
    this.changed();
    return answer;
  }

  /** False: it does not wait any more, nothing was answered. */
  answer(askId: string, answer: AskAnswer): boolean {
    return this.close(askId, answer);
  }

  withdraw(askId: string, reason: string): boolean {
    this.withdrawn.set(askId, reason);
    return this.close(askId, null);
  }

  /** Its server is gone. */
  clear(): void {
    for (const askId of this.open.keys()) this.withdraw(askId, 'the server ended');
  }

  get(askId: string): Ask | undefined {
    return this.open.get(askId)?.ask;
  }

  /** Why an ask does not wait any more. */
  why(askId: string): string {
    return this.withdrawn.get(askId) ?? 'it was answered already';
  }

  all(): Ask[] {
    return [...this.open.values()].map(({ ask }) => ask);
  }

  private close(askId: string, answer: AskAnswer | null): boolean {
    const open = this.open.get(askId);
    if (!open) return false;
    this.open.delete(askId);
    open.done(answer);
    this.changed();
    return true;
  }
}

/** The answer that an option stands for, with the rule that it would save. */
export function answerFor(option: AskOption, comment?: string): AskAnswer {
  return {
    option: option.id,
    ...(comment === undefined || comment === '' ? {} : { comment }),
    ...(option.covers === undefined ? {} : { rule: option.covers }),
  };
}

/** What it wants to do, whole: nothing of what is allowed may be out of sight. */
export function what({ args }: Ask): string {
  const command = args['cmd'] ?? args['command'];
  if (typeof command === 'string') return command;
  const commands = commandsOf(args['commands']);
  if (commands.length > 0) return commands.join('\n');
  const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${shown(value)}`)
    .join('\n');
}

/** The commands of a tool that runs several. */
function commandsOf(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  const commands = list.map((one: unknown) => (typeof one === 'object' && one !== null && 'cmd' in one ? one.cmd : undefined));
  return commands.every((cmd) => typeof cmd === 'string') ? commands : [];
}

/** One line: "Bash: may it run this?", or the ask's own title if that says more. */
export function title(ask: Ask): string {
  if (ask.title === '' || ask.title.includes(what(ask))) return `${ask.tool}: may it run this?`;
  return ask.title.replace(/\s*\n\s*/g, ' ');
}

/** Why it asks: the rule's own words, and where the rule is. */
export function why({ reason }: Ask): string {
  const place = reason.source + (reason.line === undefined ? '' : `:${String(reason.line)}`);
  const rule = `${reason.rule ?? 'no rule matched'} (${place})`;
  return reason.text === '' ? `Asks: ${rule}` : reason.text.includes(place) ? reason.text : `${reason.text}\n${rule}`;
}

/** One paragraph for a notification. */
export function brief(ask: Ask): string {
  const command = what(ask);
  const first = command.split('\n')[0] ?? '';
  const short = first.length > 160 ? `${first.slice(0, 160)}…` : first;
  const more = short === command ? '' : ' (More… shows all of it)';
  const reason = why(ask).split('\n')[0] ?? '';
  const missed = [...(ask.pending ?? []), ...(ask.unsaved ?? [])].filter((file, at, all) => all.indexOf(file) === at);
  const files = missed.length === 0 ? '' : ` Not on disk: ${missed.slice(0, 3).join(', ')}${missed.length > 3 ? ' …' : ''}.`;
  return `Redline asks. ${title(ask)} “${short}”${more}${files} — ${reason}`;
}

/** Everything that there is to know before answering, as lines. */
export function whole(ask: Ask): string {
  const command = what(ask);
  const detail = ask.detail !== undefined && ask.detail.trim() !== command.trim() ? ask.detail.trim() : '';
  const parts = [
    command,
    detail,
    `In ${ask.cwd}`,
    why(ask),
    list('Proposals that are not on disk', ask.pending),
    list('Your text that is not on disk', ask.unsaved),
    ask.options
      .filter((option) => option.covers !== undefined)
      .map((option) => `“${option.label}” covers:\n    ${(option.covers ?? '').replace(/\n/g, '\n    ')}`)
      .join('\n'),
  ];
  return parts.filter(Boolean).join('\n\n');
}

const list = (label: string, files: string[] = []): string =>
  files.length === 0 ? '' : `${label}: ${files.join(', ')}`;
