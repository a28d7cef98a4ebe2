// A headless browser for one window.
import { chromium as driver, type BrowserContext } from 'playwright-core';
import { chromium } from './paths.ts';

/** The size of the window, in CSS pixels. */
const SIZE = { width: 1400, height: 900 };

const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic', '--no-first-run'];

/**
 * Starts one that remembers nothing of the windows before it at the same address but the files of the workbench,
 * which take longer to load and compile than most scenarios do. It ends whole: a page that is only closed leaves
 * its process behind.
 */
export async function launch(profile: string, origin: string): Promise<BrowserContext> {
  const context = await driver.launchPersistentContext(profile, {
    executablePath: chromium,
    headless: true,
    viewport: SIZE,
    // Root has no sandbox, a test machine no graphics card, and a container little shared memory.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...QUIET],
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'cookies,indexeddb,local_storage,service_workers' });
  await devtools.detach();
  return context;
}
