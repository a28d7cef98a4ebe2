// The window as a user works it: keys, the palette, lenses, threads, notifications. Only what can be seen.
import type { Locator, Page } from 'playwright-core';
import { DEADLINE, eventually, read } from './wait.ts';

export class Workbench {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  static async open(page: Page, base: string, folder: string): Promise<Workbench> {
    page.setDefaultTimeout(DEADLINE);
    const url = new URL(`${base}/`);
    url.searchParams.set('folder', folder);
    await page.goto(url.href, { waitUntil: 'commit' });
    await page.locator('.monaco-workbench .part.statusbar').waitFor();
    await page.locator('.monaco-workbench .explorer-viewlet .monaco-list-row').first().waitFor();
    return new Workbench(page);
  }

  keys(...keys: string[]): Promise<void> {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  }

  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  /** The open quick pick, input box or palette. */
  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible');
  }

  /** Fills the box that is open and confirms it. */
  async answer(text: string, title?: string): Promise<void> {
    if (title !== undefined) await this.quickInput.getByText(title).first().waitFor();
    const box = this.quickInput.locator('.quick-input-box input');
    await box.waitFor();
    await box.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Picks the row of the quick pick with this label. */
  async pick(label: string): Promise<void> {
    await this.quickInput.locator('.monaco-list-row').filter({ hasText: label }).first().click();
  }

  /** Runs a command by its full title in the palette, such as "View: Toggle Word Wrap". */
  async command(title: string): Promise<void> {
    const box = this.quickInput.locator('.quick-input-box input');
    const exactly = this.page.locator('.label-name', { hasText: new RegExp(`^${escaped(title)}$`) });
    const row = this.quickInput.locator('.monaco-list-row').filter({ has: exactly }).first();
    // A document that opens in the meantime takes the focus, and the palette goes.
    await eventually(`the palette with ${title}`, async () => {
      await this.page.keyboard.press('F1');
      await box.fill(`>${title}`, { timeout: 3000 });
      await row.click({ timeout: 5000 });
      return true;
    });
    // Leaves no tooltip under the pointer.
    await this.page.mouse.move(2, 2);
  }

  /** The lenses in view, as they read. */
  get lenses(): Locator {
    return this.page.locator('.editor-instance .codelens-decoration a');
  }

  /** The lenses whose text is exactly this. */
  lens(label: string | RegExp): Locator {
    return this.lenses.filter({ hasText: typeof label === 'string' ? new RegExp(`${escaped(label)}\\s*$`) : label });
  }

  /** The lenses of one hunk together, with those that only say something. */
  lensesWith(text: string): Locator {
    return this.page.locator('.editor-instance .codelens-decoration', { hasText: text }).first();
  }

  /** The lenses that accept a hunk, from the top. */
  get accept(): Locator {
    return this.lens(/^\W*Accept$/);
  }

  /** The lenses that reject a hunk, from the top. */
  get reject(): Locator {
    return this.lens(/^\W*Reject$/);
  }

  /** The comment threads that are open in view. */
  get threads(): Locator {
    return this.page.locator('.editor-instance .zone-widget .review-widget');
  }

  /** The thread that shows this text. */
  thread(text: string): Locator {
    return this.threads.filter({ hasText: text }).first();
  }

  /** The notifications that are shown or in the centre. */
  get notifications(): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item, .notifications-center .notification-list-item');
  }

  notification(text: string | RegExp): Locator {
    return this.notifications.filter({ hasText: text }).first();
  }

  /** Presses a button of a notification, once it can have been read; the pointer must be there for it to show. */
  async press(notification: Locator, button: string): Promise<void> {
    await notification.waitFor();
    await read();
    await hoverAndClick(notification, notification.getByRole('button', { name: button, exact: true }));
  }

  get dialog(): Locator {
    return this.page.locator('.monaco-dialog-box');
  }

  /** Presses a button of the dialog, once it can have been read. */
  async choose(button: string | RegExp): Promise<void> {
    await this.dialog.waitFor();
    await read();
    await this.dialog.getByRole('button', { name: button, exact: true }).click();
  }

  /** A row of a tree or list in the side bar. */
  row(text: string | RegExp): Locator {
    return this.page.locator('.part.sidebar .monaco-list-row').filter({ hasText: text }).first();
  }

  get status(): Locator {
    return this.page.locator('.part.statusbar .statusbar-item');
  }

  /** Whether keys go to the text of an editor (not a comment's box, not a list). */
  editorHasFocus(): Promise<boolean> {
    return this.page.evaluate(() => {
      const active = document.activeElement;
      const inEditor = active?.closest('.editor-instance .monaco-editor') ?? null;
      return inEditor !== null && active?.closest('.review-widget') === null;
    });
  }

  /** Whether keys go to the box of a comment thread. */
  commentHasFocus(): Promise<boolean> {
    return this.page.evaluate(() => document.activeElement?.closest('.review-widget') !== null);
  }

  /** The text of the line above each thread, from the top. */
  threadsUnder(): Promise<string[]> {
    return this.page.evaluate(() => {
      const group = document.querySelector('.editor-group-container.active');
      const all = (selector: string) => [...(group?.querySelectorAll(selector) ?? [])];
      const top = (element: Element): number => element.getBoundingClientRect().top;
      const lines = all('.view-line').sort((a, b) => top(a) - top(b));
      const threads = all('.zone-widget').filter((zone) => zone.querySelector('.review-widget') !== null);
      return threads
        .sort((a, b) => top(a) - top(b))
        .map((zone) => lines.filter((line) => top(line) < top(zone)).at(-1)?.textContent ?? '');
    });
  }

  /** Our icon in the activity bar. */
  get viewIcon(): Locator {
    return this.page.locator('.part.activitybar .action-item', { has: this.page.locator('[aria-label*="Redline"]') }).first();
  }

  /** The number on our icon. */
  get badge(): Locator {
    return this.viewIcon.locator('.badge-content');
  }

  /** Shows our tree. */
  async openView(): Promise<void> {
    await this.viewIcon.click();
    await this.page.locator('.part.sidebar .composite.title', { hasText: 'Redline' }).first().waitFor();
  }

  /** Presses an icon of a row; the pointer must be there for it to show. */
  async rowAction(row: Locator, title: string | RegExp): Promise<void> {
    await hoverAndClick(row, row.getByRole('button', { name: title }).first());
  }

  /** Waits until keys go to the editor. */
  async waitForEditorFocus(): Promise<void> {
    await eventually('the editor to have the focus', () => this.editorHasFocus(), {
      now: () => this.page.evaluate(() => document.activeElement?.className),
    });
  }
}

/** What is under the pointer may move away between the two: a tree is drawn anew, a notification slides up. */
async function hoverAndClick(place: Locator, button: Locator): Promise<void> {
  await eventually('a button to click', async () => {
    await place.page().mouse.move(2, 2);
    await place.hover({ timeout: 3000 });
    await button.click({ timeout: 3000 });
    return true;
  });
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
