// Where things are. Each can be named by the environment; the defaults are those of `cargo xtask test`.
import { existsSync } from 'node:fs';
import path from 'node:path';

/** The repository. */
export const root = path.resolve(import.meta.dirname, '../../..');

const named = (variable: string, otherwise: string): string => {
  const value = process.env[variable];
  return value === undefined || value === '' ? otherwise : path.resolve(value);
};

/** The folder with code-server in its node_modules. */
export const host = named('REDLINE_VSCODE_HOST', path.join(root, '.tools/vscode-host'));

/** The browser: Debian's, if no other is named. */
export const chromium = named('REDLINE_CHROMIUM', '/usr/bin/chromium');

/** The server under test. */
export const binary = named('REDLINE_BIN', path.join(root, 'target/debug/redline'));

/** The extension under test, packed, with a server inside. */
export const vsix = named('REDLINE_VSIX', path.join(root, 'target/vscode/redline.vsix'));

/** code-server's own entry point; Node runs it. */
export const codeServer = path.join(host, 'node_modules/code-server/out/node/entry.js');

/** What is missing, and what to do about it; empty if all is there. */
export function missing(): string[] {
  const wanted: [string, string][] = [
    [codeServer, 'code-server is missing: `cargo xtask test` installs it, REDLINE_VSCODE_HOST names another'],
    [chromium, 'chromium is missing: install it (Debian: apt-get install chromium) or set REDLINE_CHROMIUM'],
    [binary, 'the server is missing: cargo build --package redline, or set REDLINE_BIN'],
    [vsix, 'the extension is missing: `cargo xtask test` packs it, REDLINE_VSIX names another'],
  ];
  return wanted.filter(([file]) => !existsSync(file)).map(([file, advice]) => `${file}: ${advice}`);
}
