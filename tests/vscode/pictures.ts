// node pictures.ts FOLDER [PATTERN]: a PNG of every state in light, dark and high contrast, such as hunks-dark.png.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Harness } from './lib/harness.ts';
import { stages, type Stage } from './lib/stages.ts';
import { eventually, pause } from './lib/wait.ts';

// Each from the start: code in comments keeps the colours of the theme in which it was first drawn.
const THEMES = [
  { name: 'light', theme: 'Default Light Modern', kind: 'vs' },
  { name: 'dark', theme: 'Default Dark Modern', kind: 'vs-dark' },
  { name: 'contrast', theme: 'Default High Contrast', kind: 'hc-black' },
];

/** Tooltips fade, and a picture has no condition to wait for; milliseconds. */
const SETTLED = 1200;

const [folder, pattern] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node pictures.ts FOLDER [PATTERN]');
mkdirSync(folder, { recursive: true });

async function paint(harness: Harness, stage: Stage, { name, theme, kind }: (typeof THEMES)[number]): Promise<void> {
  const file = path.join(folder ?? '', `${stage.name}-${name}`);
  const settings = { ...stage.settings, 'workbench.colorTheme': theme };
  await harness.with(
    { ...stage, settings },
    async (redline) => {
      await stage.play(redline);
      await eventually(theme, async () => (await redline.page.locator(`.monaco-workbench.${kind}`).count()) > 0);
      await pause(SETTLED);
      await redline.page.screenshot({ path: `${file}.png` });
      console.log(`${file}.png`);
    },
    async (page) => { await page.screenshot({ path: `${file}-FAILED.png` }); },
  );
}

const harness = await Harness.start();
try {
  for (const stage of stages) {
    for (const theme of THEMES.filter(({ name }) => new RegExp(pattern ?? '').test(`${stage.name}-${name}`))) {
      await paint(harness, stage, theme).catch((error: unknown) => {
        console.log(`${stage.name}-${theme.name}: ${String(error)}`);
        process.exitCode = 1;
      });
    }
  }
} finally {
  harness.stop();
}
