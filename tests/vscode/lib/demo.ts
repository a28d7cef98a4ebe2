// Starts `redline demo --editor code` with a `code` of ours, and says what it was to open.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Opened } from './code.ts';
import { binary, vsix } from './paths.ts';

export interface Demo extends Opened {
  /** What it printed. */
  readonly said: string;
}

export function demo(folder: string): Demo {
  const bin = path.join(folder, 'bin');
  const note = path.join(folder, 'opened.json');
  mkdirSync(bin);
  const code = path.join(import.meta.dirname, 'code.ts');
  writeFileSync(path.join(bin, 'code'), `#!/bin/sh\nexec '${process.execPath}' '${code}' "$@"\n`, { mode: 0o755 });
  const said = execFileSync(binary, ['demo', '--editor', 'code'], {
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      TMPDIR: folder,
      REDLINE_CODE: '',
      REDLINE_VSIX: vsix,
      REDLINE_CODE_NOTE: note,
    },
  });
  return { said, ...(JSON.parse(readFileSync(note, 'utf8')) as Opened) };
}
