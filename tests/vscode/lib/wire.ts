// What went over the wire in one scenario, as the relay noted it.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Message } from './frames.ts';
import { ask } from './line.ts';

export interface Hunk {
  readonly id: string;
  readonly state: string;
  readonly mixed: boolean;
  readonly range: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
  readonly oldText: string;
  readonly newText: string;
}

export interface Review {
  readonly uri: string;
  readonly revision: number;
  readonly version: number | null;
  readonly change: string;
  readonly hunks: readonly Hunk[];
}

export class Wire {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Every message so far, oldest first. */
  all(): { from: 'client' | 'server'; message: Message }[] {
    const file = path.join(this.#folder, 'messages.jsonl');
    if (!existsSync(file)) return [];
    // A line that is just being written has no end yet.
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as { from: 'client' | 'server'; message: Message });
  }

  /** The parameters of each message with this method. */
  sent<T>(from: 'client' | 'server', method: string): T[] {
    const wanted = this.all().filter((entry) => entry.from === from && entry.message.method === method);
    return wanted.map((entry) => entry.message.params as T);
  }

  /** The newest review of each file, by the server that runs now. */
  reviews(): Review[] {
    const all = this.all();
    const begun = all.findLastIndex(({ message }) => message.method === 'initialize');
    const said = all.slice(Math.max(0, begun)).filter(({ from, message }) => from === 'server' && message.method === 'redline/review');
    const reviews = said.map(({ message }) => message.params as Review);
    return [...new Map(reviews.map((review) => [review.uri, review])).values()];
  }

  /** The newest review of a file; undefined if there was none. */
  review(uri: string): Review | undefined {
    return this.reviews().find((review) => review.uri === uri);
  }

  /** Asks the server something, past the extension; or the extension, past the server. */
  async request<T>(method: string, params: unknown, to: 'client' | 'server' = 'server'): Promise<T> {
    const answer = (await ask(path.join(this.#folder, 'ask.sock'), { to, silent: false, method, params })) as Message;
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result as T;
  }

  /** Tells the extension something in the server's name. */
  async tell(method: string, params: unknown): Promise<void> {
    await ask(path.join(this.#folder, 'ask.sock'), { to: 'client', silent: true, method, params });
  }
}
