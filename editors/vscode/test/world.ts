/** The extension against a fake server, over a real JSON-RPC connection, in a fake VS Code. */
import { PassThrough } from 'node:stream';
import * as rpc from 'vscode-jsonrpc/node';
import { App } from '../src/app';
import { registerCommands } from '../src/commands';
import { Guard } from '../src/guard';
import { done, reset, Uri, type Message } from './fake-vscode';
import * as wire from '../src/protocol';
import { PATH } from './samples';

export interface World {
  app: App;
  /** Each look at the clock finds it so many milliseconds on: the user reads before they answer. */
  clock: { step: number };
  /** The server's end. */
  server: rpc.MessageConnection;
  /** Requests that the server got. */
  got: { method: string; params: unknown }[];
  /** What the server answers; by default an empty result. */
  answers: Map<string, (params: never) => unknown>;
  /** Everything that the server sent has been taken in. */
  settled(): Promise<void>;
  run(command: string, given?: unknown): Promise<unknown>;
  end(): void;
}

const RESOLVED: wire.ResolveResult = { resolved: [], stale: [], failed: [], mixed: [] };

export async function world(): Promise<World> {
  reset();
  const [up, down] = [new PassThrough(), new PassThrough()];
  const client = rpc.createMessageConnection(down, up);
  const server = rpc.createMessageConnection(up, down);
  const got: World['got'] = [];
  const answers = new Map<string, (params: never) => unknown>([
    [wire.reviews, () => ({ files: [] })],
    [wire.resolve, ({ hunks = [] }: wire.ResolveParams) => ({ ...RESOLVED, resolved: hunks })],
    [wire.content, () => null],
  ]);
  server.onRequest((method: string, params: unknown) => {
    got.push({ method, params });
    return answers.get(method)?.(params as never) ?? null;
  });
  const clock = { step: 1_000, now: 0 };
  const guard = new Guard(() => (clock.now += clock.step));
  const app = new App(Uri.file('/ext') as never, () => { done.passing.push('no server'); }, guard);
  const commands = registerCommands(app, { restart: () => Promise.resolve(), showLog: () => undefined });
  app.listen(client);
  client.listen();
  server.listen();
  await app.connected(client);
  got.length = 0;
  return {
    app,
    clock,
    server,
    got,
    answers,
    // Messages keep their order: when the last one is answered, those before it were handled.
    settled: async () => {
      await server.sendRequest(wire.question, { questions: [] });
    },
    run: (command, given) => Promise.resolve(done.commands.get(`redline.${command}`)?.(given)),
    end: () => {
      commands.dispose();
      app.dispose();
      client.dispose();
      server.dispose();
    },
  };
}

/** Runs a test in a world of its own. */
export async function inWorld(test: (world: World) => Promise<void>): Promise<void> {
  const one = await world();
  try {
    await test(one);
  } finally {
    one.end();
  }
}

/** The one message that is on the screen. */
export function onlyMessage(): Message {
  const [message, ...more] = done.messages;
  if (!message || more.length > 0) throw new Error(`messages: ${JSON.stringify(done.messages)}`);
  return message;
}

/** Waits until something holds; fails after a while. */
export async function until(holds: () => boolean, why: string): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`never: ${why}`);
    await new Promise((next) => setImmediate(next));
  }
}

export { PATH };
