// Waiting for a condition. Nothing in these tests sleeps for a fixed time.

/** How long anything may take that should come at once, on a slow and busy machine; milliseconds. */
export const DEADLINE = 30_000;

const PAUSE = 25;

/** Lets other things happen for a moment, in milliseconds. */
export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** What asks for permission takes no answer in its first 300 ms: nobody can have read it sooner. */
export const read = (): Promise<void> => pause(450);

/**
 * Looks until `look` gives something other than undefined or false, and gives that back.
 * What `look` throws counts as "not yet", and is told when time runs out.
 */
export async function eventually<T>(
  what: string,
  look: () => Promise<T> | T,
  options: { ms?: number; now?: () => unknown } = {},
): Promise<Exclude<T, false | undefined>> {
  const end = Date.now() + (options.ms ?? DEADLINE);
  for (;;) {
    let last: unknown;
    try {
      const found = await look();
      if (found !== undefined && found !== false) return found as Exclude<T, false | undefined>;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(await complaint(what, last, options.now));
    await pause(PAUSE);
  }
}

async function complaint(what: string, last: unknown, now?: () => unknown): Promise<string> {
  const why = last === undefined ? '' : `\n  ${last instanceof Error ? last.message : JSON.stringify(last)}`;
  const state = now === undefined ? '' : `\n  now: ${JSON.stringify(await now(), undefined, 1)}`;
  return `waited in vain for ${what}${why}${state}`;
}

/** Waits until `look` gives exactly `expected`; the message shows both. */
export async function equals<T>(what: string, look: () => Promise<T> | T, expected: T, ms = DEADLINE): Promise<void> {
  const wanted = JSON.stringify(expected);
  await eventually(`${what} to be ${wanted}`, async () => JSON.stringify(await look()) === wanted, { now: look, ms });
}

/**
 * Checks that something stays as it is for a moment: the one place where time itself is the condition,
 * for what must NOT happen. `look` gives true as long as all is well.
 */
export async function stays(what: string, look: () => Promise<boolean> | boolean, ms = 400): Promise<void> {
  const end = Date.now() + ms;
  while (Date.now() < end) {
    if (!(await look())) throw new Error(`it did not stay so: ${what}`);
    await pause(PAUSE);
  }
}

/** Waits until `look` gives exactly `expected` and goes on to do so for a moment. */
export async function settles<T>(what: string, look: () => Promise<T> | T, expected: T): Promise<void> {
  const wanted = JSON.stringify(expected);
  const same = async (): Promise<boolean> => JSON.stringify(await look()) === wanted;
  const settled = async (): Promise<boolean> => {
    if (!(await same())) return false;
    await stays(what, same);
    return true;
  };
  await eventually(`${what} to be ${wanted}`, settled, { now: look });
}
