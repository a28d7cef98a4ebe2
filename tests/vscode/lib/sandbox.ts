// The folders of one scenario: a workspace, the editor's own data, the server's state, a script.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { jsonl, type Turns } from './script.ts';

export type Files = Readonly<Record<string, string>>;

/** Settings as in a settings.json. */
export type Settings = Readonly<Record<string, unknown>>;

/** Quiet defaults: no welcome page, no look-ups, nothing that moves. */
const QUIET: Settings = {
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'editor.accessibilitySupport': 'off',
  'editor.cursorBlinking': 'solid',
  'editor.minimap.enabled': false,
  'editor.wordBasedSuggestions': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off',
  'files.hotExit': 'off',
  'git.enabled': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'window.confirmBeforeClose': 'never',
  'window.dialogStyle': 'custom',
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

export class Sandbox {
  readonly folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'redline-vscode-')));
  workspace = this.#make('project');
  readonly userData = this.#make('data');
  readonly state = this.#make('state');
  readonly config = this.#make('config');
  readonly wire = path.join(this.folder, 'wire');
  readonly probe = path.join(this.folder, 'probe.sock');
  /** The settings of this scenario. */
  readonly own: Settings;

  constructor(files: Files, turns: Turns, settings: Settings) {
    for (const [name, text] of Object.entries(files)) this.write(name, text);
    const script = path.join(this.folder, 'script.jsonl');
    writeFileSync(script, jsonl(turns));
    this.own = { 'redline.provider': 'script', 'redline.script': script, ...settings };
    this.settings(this.own);
  }

  /** Writes the user's settings. In a remote window those of the machine's scope come from a second file. */
  settings(settings: Settings): void {
    const text = JSON.stringify({ ...QUIET, ...settings }, undefined, 2);
    for (const scope of ['User', 'Machine']) {
      mkdirSync(path.join(this.userData, scope), { recursive: true });
      writeFileSync(path.join(this.userData, scope, 'settings.json'), text);
    }
  }

  path(name: string): string {
    return path.join(this.workspace, name);
  }

  /** Writes a file of the workspace as another program would. */
  write(name: string, text: string): void {
    mkdirSync(path.dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  /** A file's text on disk; undefined if there is none. */
  disk(name: string): string | undefined {
    return existsSync(this.path(name)) ? readFileSync(this.path(name), 'utf8') : undefined;
  }

  remove(): void {
    // A browser that has just been killed may still let go of its files.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  #make(name: string): string {
    const folder = path.join(this.folder, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }
}
