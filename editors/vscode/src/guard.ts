/** What has only just appeared has not been read: keys and clicks that come so soon were meant for something else. */

/** Milliseconds. */
export const UNREAD = 300;
/** What is answered too soon again and again is given up. */
const TRIES = 5;

export class Guard {
  /** `now` counts milliseconds, and never backwards. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * The answer to what `show` shows, which is shown once more when it comes too soon. `undefined`: none. That is
   * nobody's answer, and counts at once: the editor itself closes a notification that comes a second time.
   */
  async ask<T>(show: () => PromiseLike<T | undefined>): Promise<T | undefined> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const shown = this.now();
      const answer = await show();
      if (answer === undefined || this.now() - shown >= UNREAD) return answer;
    }
    return undefined;
  }

  /** Notes when something appeared; the function that it gives says whether it can have been read since. */
  appears(): () => boolean {
    const shown = this.now();
    return () => this.now() - shown >= UNREAD;
  }
}
