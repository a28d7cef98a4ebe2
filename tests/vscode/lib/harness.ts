// What a whole run shares (the installed extensions, the browser's cache) and what each scenario gets of its own.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { launch } from './browser.ts';
import { freePort, install, start, type Launch } from './codeserver.ts';
import { demo } from './demo.ts';
import { Workbench } from './page.ts';
import { binary, root, vsix } from './paths.ts';
import { Probe } from './probe.ts';
import { Redline } from './redline.ts';
import { Sandbox } from './sandbox.ts';
import type { Options } from './scenario.ts';
import { eventually } from './wait.ts';
import { Wire } from './wire.ts';

const PROBE = 'probe.vsix';
const here = path.resolve(import.meta.dirname, '..');

export class Harness {
  readonly #folder: string;
  readonly #extensions: string;
  /** The same for all windows, so that the browser's cache serves them all. */
  readonly #port: number;

  private constructor(folder: string, extensions: string, port: number) {
    this.#folder = folder;
    this.#extensions = extensions;
    this.#port = port;
  }

  /** Packs the probe, installs it and the extension under test. */
  static async start(): Promise<Harness> {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'redline-vscode-run-'));
    const extensions = path.join(folder, 'extensions');
    mkdirSync(extensions);
    install({ folder, userData: path.join(folder, 'data'), extensions }, [packProbe(folder), vsix]);
    return new Harness(folder, extensions, await freePort());
  }

  /** Opens a window for a scenario and runs `body` in it; `failed` sees the window before it goes. */
  async with(options: Options, body: (redline: Redline) => Promise<void>, failed: (page: Page) => Promise<void>): Promise<void> {
    const sandbox = new Sandbox(options.files ?? {}, options.turns ?? [], options.settings ?? {});
    mkdirSync(sandbox.wire);
    const server = await start(options.demo === true ? this.#demo(sandbox) : this.#launch(sandbox, options));
    const browser = await launch(path.join(this.#folder, 'browser'), server.base);
    const page = browser.pages()[0] ?? (await browser.newPage());
    try {
      await body(await open(page, server.base, sandbox, options));
    } catch (error) {
      await failed(page).catch(() => undefined);
      throw error;
    } finally {
      await Promise.allSettled([browser.close(), server.stop()]);
      if (process.env['REDLINE_KEEP'] === undefined) sandbox.remove();
      else console.log(`kept: ${sandbox.folder}`);
    }
  }

  stop(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }

  /** The window that the demo opens, with the probe in it. */
  #demo(sandbox: Sandbox): Launch {
    const { userData, extensions, folders, environment } = demo(sandbox.folder);
    sandbox.workspace = folders[0] ?? sandbox.workspace;
    const launch = { folder: sandbox.folder, userData, extensions, port: this.#port };
    install(launch, [path.join(this.#folder, PROBE)]);
    return { ...launch, environment: { ...environment, REDLINE_PROBE: sandbox.probe } };
  }

  #launch(sandbox: Sandbox, options: Options): Launch {
    return {
      folder: sandbox.folder,
      userData: sandbox.userData,
      extensions: this.#extensions,
      port: this.#port,
      args: options.trust === true ? [] : ['--disable-workspace-trust'],
      environment: {
        REDLINE_STATE_DIR: sandbox.state,
        REDLINE_CONFIG_DIR: sandbox.config,
        REDLINE_PROBE: sandbox.probe,
        REDLINE_WIRE: sandbox.wire,
        REDLINE_BIN: binary,
        ...(options.bundled === true ? {} : { REDLINE_SERVER: relay(sandbox) }),
      },
    };
  }
}

/** A program that starts the relay. The editor takes the path from a login shell, which may know another Node. */
function relay(sandbox: Sandbox): string {
  const program = path.join(sandbox.folder, 'redline');
  const command = `#!/bin/sh\nexec '${process.execPath}' '${path.join(here, 'lib/relay.ts')}' "$@"\n`;
  writeFileSync(program, command, { mode: 0o755 });
  return program;
}

async function open(page: Page, base: string, sandbox: Sandbox, options: Options): Promise<Redline> {
  const ui = await Workbench.open(page, base, sandbox.workspace);
  const probe = new Probe(sandbox.probe);
  await eventually('the extension host', () => probe.run(() => true, undefined));
  const redline = new Redline(ui, probe, sandbox, new Wire(sandbox.wire));
  const relayed = options.bundled !== true && options.demo !== true;
  if (relayed && options.early !== true && options.trust !== true) await redline.ready();
  if (options.open !== undefined) await redline.open(options.open);
  return redline;
}

function packProbe(folder: string): string {
  const packed = path.join(folder, PROBE);
  const vsce = path.join(root, 'editors/vscode/node_modules/@vscode/vsce/vsce');
  const args = [vsce, 'package', '--no-dependencies', '--skip-license', '--allow-missing-repository', '--out', packed];
  execFileSync(process.execPath, args, { cwd: path.join(here, 'probe'), stdio: ['ignore', 'ignore', 'pipe'] });
  return packed;
}
