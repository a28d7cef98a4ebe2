// What a scenario is, and the list of them.
import type { Settings, Files } from './sandbox.ts';
import type { Turns } from './script.ts';
import type { Redline } from './redline.ts';

export interface Options {
  /** The files of the workspace, by name. */
  readonly files?: Files;
  /** What the agent says and does. */
  readonly turns?: Turns;
  /** The user's settings. */
  readonly settings?: Settings;
  /** A file that is open when the scenario begins. */
  readonly open?: string;
  /** Whether the window is the one that `redline demo --editor code` opens. */
  readonly demo?: boolean;
  /** Whether it begins before the server runs. */
  readonly early?: boolean;
  /** Whether VS Code asks if the folder is to be trusted. */
  readonly trust?: boolean;
  /** Whether the extension runs the server that it brings, with no relay between. */
  readonly bundled?: boolean;
}

export interface Scenario extends Options {
  readonly name: string;
  readonly run: (redline: Redline) => Promise<void>;
}

/** All scenarios, in the order of their files. */
export const scenarios: Scenario[] = [];

export function scenario(name: string, options: Options, run: Scenario['run']): void {
  scenarios.push({ name, ...options, run });
}
