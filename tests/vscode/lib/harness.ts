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
    // A browser that dies while it starts says nothing about what is tested.
    const window = await this.#open(options).catch(() => this.#open(options));
    try {
      await prepare(window.redline, options);
      await body(window.redline);
    } catch (error) {
      await failed(window.redline.page).catch(() => undefined);
      throw error;
    } finally {
      await window.close();
    }
  }

  /** A window with the workbench and the probe in it, and what ends both. */
  async #open(options: Options): Promise<{ redline: Redline; close: () => Promise<void> }> {
    const sandbox = new Sandbox(options.files ?? {}, options.turns ?? [], options.settings ?? {});
    mkdirSync(sandbox.wire);
    const ends: (() => Promise<void>)[] = [];
    const close = async (): Promise<void> => {
      await Promise.allSettled(ends.map((end) => end()));
      if (process.env['REDLINE_KEEP'] === undefined) sandbox.remove();
      else console.log(`kept: ${sandbox.folder}`);
    };
    try {
      const server = await start(options.demo === true ? this.#demo(sandbox) : this.#launch(sandbox, options));
      ends.push(() => server.stop());
      const browser = await launch(path.join(this.#folder, 'browser'), server.base);
      ends.push(() => browser.close());
      const page = browser.pages()[0] ?? (await browser.newPage());
      const ui = await Workbench.open(page, server.base, sandbox.workspace);
      const probe = new Probe(sandbox.probe);
      await eventually('the extension host', () => probe.run(() => true, undefined));
      return { redline: new Redline(ui, probe, sandbox, new Wire(sandbox.wire)), close };
    } catch (error) {
      await close();
      throw error;
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

/** Waits until the server runs, if there is one to wait for, and opens the scenario's file. */
async function prepare(redline: Redline, options: Options): Promise<void> {
  const relayed = options.bundled !== true && options.demo !== true;
  if (relayed && options.early !== true && options.trust !== true) await redline.ready();
  if (options.open !== undefined) await redline.open(options.open);
}

function packProbe(folder: string): string {
  const packed = path.join(folder, PROBE);
  const vsce = path.join(root, 'editors/vscode/node_modules/@vscode/vsce/vsce');
  const args = [vsce, 'package', '--no-dependencies', '--skip-license', '--allow-missing-repository', '--out', packed];
  execFileSync(process.execPath, args, { cwd: path.join(here, 'probe'), stdio: ['ignore', 'ignore', 'pipe'] });
  return packed;
}
