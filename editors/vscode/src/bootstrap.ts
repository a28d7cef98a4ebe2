/** Finding the server: setting, environment, the one that comes along, PATH. Pure but for `exists`. */
import * as path from 'node:path';

export interface Surroundings {
  /** The setting `redline.server.path`. */
  setting: string;
  env: Record<string, string | undefined>;
  /** The folder of the extension. */
  extension: string;
  windows: boolean;
  exists: (file: string) => boolean;
}

export type Found = { command: string } | { missing: string };

export function findServer({ setting, env, extension, windows, exists }: Surroundings): Found {
  const named = [
    { file: setting, by: 'the setting "redline.server.path"' },
    { file: env['REDLINE_SERVER'] ?? '', by: 'the environment variable REDLINE_SERVER' },
  ];
  for (const { file, by } of named) {
    // A wrong path is said, not passed over: another server would be a surprise.
    if (file !== '') return exists(file) ? { command: file } : { missing: `${file}, which ${by} names, is not there.` };
  }
  const name = windows ? 'redline.exe' : 'redline';
  const bundled = path.join(extension, 'bin', name);
  if (exists(bundled)) return { command: bundled };
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter).filter(Boolean);
  const command = folders.map((folder) => path.join(folder, name)).find(exists);
  return command === undefined ? { missing: 'the program "redline" was not found.' } : { command };
}
