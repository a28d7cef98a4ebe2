// What `code` is to a program that starts it: installs for real, but opens nothing: it notes what was to be opened
// in REDLINE_CODE_NOTE, so that the test opens that window and ends it. As the real one, it returns at once.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { install } from './codeserver.ts';

/** What was to be opened. */
export interface Opened {
  readonly userData: string;
  readonly extensions: string;
  readonly folders: readonly string[];
  /** The part of the environment that is ours. */
  readonly environment: Readonly<Record<string, string>>;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    version: { type: 'boolean' },
    'user-data-dir': { type: 'string' },
    'extensions-dir': { type: 'string' },
    'install-extension': { type: 'string' },
    'new-window': { type: 'boolean' },
  },
});

/** On a desktop the user's settings are the machine's as well; code-server is a remote machine, with a file of its own. */
function copySettings(userData: string): void {
  mkdirSync(path.join(userData, 'Machine'), { recursive: true });
  copyFileSync(path.join(userData, 'User/settings.json'), path.join(userData, 'Machine/settings.json'));
}

function main(): void {
  if (values.version === true) {
    console.log('1.139.1\n0000000000000000000000000000000000000000\nx64');
    return;
  }
  const [userData, extensions] = [values['user-data-dir'], values['extensions-dir']];
  const note = process.env['REDLINE_CODE_NOTE'];
  if (userData === undefined || extensions === undefined || note === undefined) throw new Error('it must not touch the own profile');
  if (values['install-extension'] !== undefined) {
    install({ folder: path.dirname(note), userData, extensions }, [values['install-extension']]);
    return;
  }
  copySettings(userData);
  const ours = Object.entries(process.env).filter(([name]) => name.startsWith('REDLINE_DEMO_'));
  const environment = Object.fromEntries(ours) as Record<string, string>;
  const opened: Opened = { userData, extensions, folders: positionals, environment };
  writeFileSync(note, JSON.stringify(opened));
}

main();
