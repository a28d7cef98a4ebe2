// node run.ts [PATTERN]: runs the scenarios whose name or file matches. The last line is "N passed, M failed".
// A whole editor in a browser loses a click or a key now and then where the machine is busy: what fails is tried
// once more, and said to be flaky if it passes then. What is broken fails twice.
// A picture of each failure is left in REDLINE_SHOTS (target/vscode/failures).
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Harness } from './lib/harness.ts';
import { missing, root } from './lib/paths.ts';
import { scenarios, type Scenario } from './lib/scenario.ts';

/** No scenario may take longer, in milliseconds. */
const LIMIT = 150_000;

const shots = process.env['REDLINE_SHOTS'] ?? path.join(root, 'target/vscode/failures');
const pattern = new RegExp(process.argv[2] ?? '', 'i');

async function load(): Promise<Scenario[]> {
  const folder = path.join(import.meta.dirname, 'scenarios');
  for (const file of readdirSync(folder).sort()) {
    const from = scenarios.length;
    await import(path.join(folder, file));
    if (pattern.test(file)) continue;
    const added = scenarios.splice(from).filter((scenario) => pattern.test(scenario.name));
    scenarios.push(...added);
  }
  return scenarios;
}

/** Runs one; what went wrong, if something did. */
async function attempt(harness: Harness, scenario: Scenario): Promise<string | undefined> {
  const limit = timer();
  try {
    const picture = path.join(shots, `${scenario.name.replaceAll(/\W+/g, '-').slice(0, 80)}.png`);
    const body = harness.with(
      scenario,
      (redline) => Promise.race([scenario.run(redline), limit.reached]),
      async (page) => { await page.screenshot({ path: picture }); },
    );
    await body;
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    limit.clear();
  }
}

/** Runs one and says so; whether it failed. */
async function timed(harness: Harness, scenario: Scenario): Promise<boolean> {
  const begun = Date.now();
  const problem = await attempt(harness, scenario);
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  console.log(`${problem === undefined ? 'ok    ' : 'FAILED'} ${seconds.padStart(5)} s  ${scenario.name}`);
  if (problem !== undefined) console.log(`${problem}\n`);
  return problem !== undefined;
}

function timer(): { reached: Promise<never>; clear: () => void } {
  let clear = (): void => undefined;
  const reached = new Promise<never>((_, late) => {
    const handle = setTimeout(() => { late(new Error(`not done after ${String(LIMIT / 1000)} s`)); }, LIMIT);
    clear = () => { clearTimeout(handle); };
  });
  return { reached, clear };
}

async function main(): Promise<boolean> {
  const lacking = missing();
  if (lacking.length > 0) {
    console.log(`${lacking.join('\n')}\n0 passed, 1 failed`);
    return false;
  }
  mkdirSync(shots, { recursive: true });
  const wanted = await load();
  const harness = await Harness.start();
  let [passed, flaky, failed] = [0, 0, 0];
  try {
    for (const scenario of wanted) {
      const first = await timed(harness, scenario);
      // Where much is broken nothing is tried again.
      const again = first && (failed >= 3 || await timed(harness, scenario));
      if (again) failed += 1;
      else passed += 1;
      if (first && !again) flaky += 1;
    }
  } finally {
    harness.stop();
  }
  if (flaky > 0) console.log(`flaky: ${String(flaky)} passed at the second attempt`);
  console.log(`${String(passed)} passed, ${String(failed)} failed`);
  return failed === 0 && passed > 0;
}

process.exitCode = (await main()) ? 0 : 1;
