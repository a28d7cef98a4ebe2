// One scenario's editor with Redline in it: the steps that most scenarios share.
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import type { Workbench } from './page.ts';
import type { Probe } from './probe.ts';
import type { Sandbox } from './sandbox.ts';
import { equals, eventually, read } from './wait.ts';
import type { Hunk, Wire } from './wire.ts';

/** Our keybindings. */
const KEYS = { next: ['Alt+F5'], previous: ['Shift+Alt+F5'], accept: ['Control+K', 'y'], reject: ['Control+K', 'n'] };

/** States of hunks that the user is still to decide. */
const WAITING = ['pending', 'conflict', 'applied'];

interface ThreadEvent {
  readonly threadId: string;
  readonly turnId: string;
  readonly event: { readonly type: string; readonly reason?: string };
}

export class Redline {
  readonly ui: Workbench;
  readonly probe: Probe;
  readonly sandbox: Sandbox;
  readonly wire: Wire;

  constructor(ui: Workbench, probe: Probe, sandbox: Sandbox, wire: Wire) {
    this.ui = ui;
    this.probe = probe;
    this.sandbox = sandbox;
    this.wire = wire;
  }

  get page(): Page {
    return this.ui.page;
  }

  uri(name: string): string {
    return pathToFileURL(this.sandbox.path(name)).href;
  }

  /** Opens a file of the workspace and puts the focus into it. */
  async open(name: string): Promise<void> {
    await this.probe.run(async (vscode, file) => {
      await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
    }, this.sandbox.path(name));
    await this.ui.waitForEditorFocus();
  }

  /** Gives a prompt in the prompt box, as a user does. */
  async startPrompt(text: string): Promise<void> {
    await this.ui.command('Redline: Ask the Agent…');
    await this.ui.answer(text);
  }

  /** Gives a prompt and waits until its turn has ended. */
  async prompt(text: string): Promise<void> {
    const before = this.#ended().length;
    await this.startPrompt(text);
    await eventually('the end of the turn', () => this.#ended().length > before);
  }

  /** Waits for the end of turn number `count` of this window. */
  async turns(count: number): Promise<void> {
    await eventually(`the end of turn ${String(count)}`, () => this.#ended().length >= count);
  }

  #ended(): ThreadEvent[] {
    return this.wire.sent<ThreadEvent>('server', 'redline/threadEvent').filter(({ event }) => event.type === 'turnEnd');
  }

  /** The hunks of a file that are not decided, by the server's newest word. */
  hunks(name: string, ...states: string[]): readonly Hunk[] {
    const wanted = states.length > 0 ? states : ['pending', 'accepting', 'conflict', 'applied'];
    return (this.wire.review(this.uri(name))?.hunks ?? []).filter((hunk) => wanted.includes(hunk.state));
  }

  /** Waits until a file has exactly this many hunks that are not decided, all pending. */
  async pending(name: string, count: number): Promise<void> {
    await eventually(`${String(count)} pending hunks in ${name}`, () => {
      const hunks = this.hunks(name);
      return hunks.length === count && hunks.every((hunk) => hunk.state === 'pending');
    }, { now: () => this.wire.review(this.uri(name)) });
    await this.#shown();
  }

  /** Waits until the window has taken in what the server said last: its status bar counts what waits. */
  async #shown(): Promise<void> {
    const item = this.page.locator('.part.statusbar .statusbar-item', { hasText: 'Redline' }).first();
    await eventually('the status bar to count what waits', async () => {
      const waiting = this.wire.reviews().flatMap((review) => review.hunks).filter((hunk) => WAITING.includes(hunk.state)).length;
      const text = await item.innerText();
      if (text.includes('asks')) return true;
      return waiting === 0 ? !text.includes('to review') : text.includes(`${String(waiting)} to review`);
    }, { now: () => item.innerText() });
  }

  /** Waits until a document that is open has this text. */
  async buffer(name: string, expected: string): Promise<void> {
    await equals(`the text of ${name}`, () => this.probe.text(this.sandbox.path(name)), expected);
  }

  /** Waits until a file has this text on disk. */
  async disk(name: string, expected: string | undefined): Promise<void> {
    await eventually(`${name} on disk to be ${JSON.stringify(expected)}`, () => this.sandbox.disk(name) === expected, {
      now: () => this.sandbox.disk(name),
    });
  }

  /** Everything that the model was given since the prompt `text`, one string. */
  async told(text = ''): Promise<string> {
    const thread = this.wire.sent<ThreadEvent>('server', 'redline/threadEvent').at(-1)?.threadId;
    assert.ok(thread, 'a prompt before');
    const { messages } = await this.wire.request<{ messages: unknown[] }>('redline/thread', { threadId: thread });
    const strings = messages.map((message) => JSON.stringify(message));
    const from = text === '' ? 0 : strings.findLastIndex((message) => message.includes(text));
    assert.ok(from >= 0, `no prompt ${text} in ${strings.join('\n')}`);
    return strings.slice(from).join('\n');
  }

  /** Gives a last prompt and checks what the agent is told with it. */
  async tells(prompt: string, ...parts: (string | RegExp)[]): Promise<void> {
    await this.prompt(prompt);
    const told = await this.told(prompt);
    for (const part of parts) {
      assert.ok(typeof part === 'string' ? told.includes(part) : part.test(told), `the agent was not told ${String(part)}:\n${told}`);
    }
  }

  /** Presses a key of ours, once the window knows that it is one here. */
  async press(what: keyof typeof KEYS): Promise<void> {
    await this.probe.settle();
    await this.ui.keys(...KEYS[what]);
  }

  /** Runs a command of ours by its id, for what is not tested by the way it is called. */
  run(command: string, ...args: unknown[]): Promise<void> {
    return this.probe.command(command, ...args);
  }

  /** Ends the server as a crash would. */
  killServer(): void {
    process.kill(Number(readFileSync(path.join(this.sandbox.wire, 'pid'), 'utf8')), 'SIGKILL');
  }

  /** Waits until the server runs. */
  async ready(): Promise<void> {
    await eventually('the server', () => this.wire.sent('client', 'initialized').length > 0);
  }

  /** The text of a document that is open. */
  async text(name: string): Promise<string> {
    return (await this.probe.text(this.sandbox.path(name))) ?? '';
  }

  /** The active editor; there must be one. */
  async active(): Promise<Exclude<Awaited<ReturnType<Probe['active']>>, null>> {
    const active = await this.probe.active();
    assert.ok(active, 'an active editor');
    return active;
  }

  /** Waits until the active editor shows this text. */
  async shows(text: string): Promise<void> {
    await this.page.locator('.editor-group-container.active .view-line', { hasText: text }).first().waitFor();
    await this.ui.waitForEditorFocus();
  }

  /** From the dialog of an ask to the box of its rule: where the rule shall count. */
  async scope(scope: string | RegExp): Promise<Locator> {
    await this.ui.choose('Always Allow…');
    const row = this.ui.quickInput.locator('.monaco-list-row').filter({ hasText: scope }).first();
    await row.waitFor();
    await read();
    await row.click();
    await this.ui.quickInput.getByText('Esc goes back').waitFor();
    await read();
    return this.ui.quickInput.locator('.quick-input-box input');
  }

  /** The same, and the rule as the box shows it or as `edited` makes it. */
  async rule(scope: string | RegExp, edited?: (rule: string) => string): Promise<void> {
    const box = await this.scope(scope);
    if (edited !== undefined) await box.fill(edited(await box.inputValue()));
    await this.ui.keys('Enter');
  }

  /** Clicks a lens of hunk `n` of `count`: the lenses must have followed what was decided before. */
  async lens(label: 'Accept' | 'Reject', n: number, count: number): Promise<void> {
    const group = this.ui.lensesWith(`${String(n)} of ${String(count)}`);
    await group.locator('a', { hasText: new RegExp(`^\\W*${label}$`) }).first().click();
  }

  /** An icon in a thread's title, by its tooltip. */
  icon(thread: Locator, title: string | RegExp): Locator {
    return thread.locator('.review-title, .head').getByRole('button', { name: title }).first();
  }

  /** Writes into a thread's reply box and sends it. */
  async reply(thread: Locator, comment: string): Promise<void> {
    await thread.locator('.review-thread-reply-button').click();
    await thread.locator('.comment-form .monaco-editor').waitFor();
    await eventually('the reply box to have the focus', () => this.ui.commentHasFocus());
    await this.ui.type(comment);
    await thread.getByRole('button', { name: 'Reject with Comment' }).click();
  }

  /** Changes the proposed text in its thread, and saves it. */
  async editProposal(thread: Locator, text: string): Promise<void> {
    await this.icon(thread, /^Edit/).click();
    await thread.locator('.edit-container .monaco-editor, .comment-editor .monaco-editor').first().waitFor();
    await eventually('the box to have the focus', () => this.ui.commentHasFocus());
    await this.ui.keys('Control+A');
    await this.ui.type(text);
    await thread.getByRole('button', { name: /^(Accept|Save)/ }).last().click();
  }

  /** Reopens what was decided near a line, 0-based. */
  async reopen(line: number): Promise<void> {
    await this.ui.waitForEditorFocus();
    await this.probe.cursor(line);
    await this.ui.command('Redline: Reopen Decided Change');
  }
}
