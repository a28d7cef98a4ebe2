/** The asks that wait for the user, and what is said about one. Nothing here is shown, and nothing is ever allowed by default. */
import type { Ask, AskAnswer, AskOption } from './protocol';
import { Waiting } from './waiting';
import { listed, visible } from './words';

export class Asks extends Waiting<Ask, AskAnswer> {
  constructor(changed?: () => void) {
    super(({ askId }) => askId, changed);
  }

  /** "2 of 3 asks", of those that wait now; empty for the only one. */
  place(askId: string): string {
    const ids = this.all().map((ask) => ask.askId);
    const index = ids.indexOf(askId) + 1;
    return index > 0 ? queue({ index, total: ids.length }) : '';
  }
}

export const queue = ({ index, total }: Ask['queue']): string =>
  total > 1 ? `${String(index)} of ${String(total)} asks` : '';

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
  const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  const lines = Object.entries(args).map(([name, value]) => `${name}: ${shown(value)}`);
  return visible(commandOf(args) ?? lines.join('\n'));
}

/** The command, or the commands of a tool that runs several. */
function commandOf(args: Ask['args']): string | undefined {
  const command = args['cmd'] ?? args['command'];
  if (typeof command === 'string') return command;
  const list: unknown = args['commands'];
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const commands = list.map((one: unknown) => (typeof one === 'object' && one !== null && 'cmd' in one ? one.cmd : undefined));
  return commands.every((cmd) => typeof cmd === 'string') ? commands.join('\n') : undefined;
}

/** One line: "Bash: may it run this?", or the ask's own title if that says more. */
export function title(ask: Ask): string {
  if (ask.title === '' || ask.title.includes(what(ask))) return `${ask.tool}: may it run this?`;
  return visible(ask.title.replace(/\s*\n\s*/g, ' '));
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
  const place = queue(ask.queue);
  const head = `Redline asks${place === '' ? '' : ` (${place})`}${again(ask)}`;
  return `${head}. ${title(ask)} “${short}”${more}${files} — ${reason}`;
}

const again = ({ note }: Ask): string => (note === undefined || note === '' ? '' : ` once more: ${note.replace(/\.$/, '')}`);

/** A dialog that would not fit on the screen is cut. */
const DIALOG = { lines: 24, chars: 2_000 };
/** So much of each of its parts is left, so that the reason and the rules are seen whatever the call is. */
const PART = { lines: 8, chars: 600 };

/** What a dialog shows, and whether that is less than the whole. */
export function fitted(ask: Ask): { text: string; isCut: boolean } {
  const text = whole(ask);
  if (!exceeds(text, DIALOG)) return { text, isCut: false };
  const cut = (part: string): string =>
    exceeds(part, PART) ? `${part.split('\n').slice(0, PART.lines).join('\n').slice(0, PART.chars)}\n…` : part;
  return { text: parts(ask).map(cut).join('\n\n'), isCut: true };
}

const exceeds = (text: string, { lines, chars }: typeof PART): boolean => text.length > chars || text.split('\n').length > lines;

/** Everything that there is to know before answering, as lines. */
export const whole = (ask: Ask): string => parts(ask).join('\n\n');

function parts(ask: Ask): string[] {
  const call = what(ask);
  const said = visible(ask.detail?.trim() ?? '');
  const detail = said === call.trim() ? '' : said;
  const all = [
    again(ask) === '' ? '' : `Asked${again(ask)}.`,
    // A change is read as a change; the arguments that would make it come after it.
    ...(commandOf(ask.args) === undefined ? [detail, call] : [call, detail]),
    `In ${ask.cwd}`,
    why(ask),
    files('Proposals that are not on disk', ask.pending),
    files('Your text that is not on disk', ask.unsaved),
    covers(ask),
  ];
  return all.filter(Boolean);
}

const files = (label: string, names: string[] = []): string =>
  names.length === 0 ? '' : `${label}: ${names.join(', ')}`;

/** What each option would add to the rules; options that would add the same are named together. */
function covers({ options }: Ask): string {
  const rules = [...new Set(options.flatMap((option) => option.covers ?? []))];
  const said = rules.map((rule) => {
    const same = options.filter((option) => option.covers === rule).map(({ label }) => `“${label}”`);
    const verb = same.length > 1 ? 'each add' : 'adds';
    return `${listed(same)} ${verb} this, which you can edit first:\n    ${visible(rule).replace(/\n/g, '\n    ')}`;
  });
  return said.join('\n');
}
