// Stands between the extension and the real server: passes every message on, notes it, and lets a test ask either
// side something of its own. The environment names the server (REDLINE_BIN) and the folder for notes (REDLINE_WIRE).
import { spawn } from 'node:child_process';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { Frames, frame, type Message } from './frames.ts';

const folder = process.env['REDLINE_WIRE'] ?? '.';
const server = spawn(process.env['REDLINE_BIN'] ?? 'redline', process.argv.slice(2), { stdio: ['pipe', 'pipe', 'inherit'] });
writeFileSync(path.join(folder, 'pid'), String(server.pid));
const asked = new Map<string, (answer: Message) => void>();
let count = 0;

type Side = 'client' | 'server';

const note = (from: Side, message: Message): void => {
  appendFileSync(path.join(folder, 'messages.jsonl'), `${JSON.stringify({ from, at: Date.now(), message })}\n`);
};

/** Passes on what one side says, but for answers to questions of the test. */
const passOn = (from: Side, write: (raw: Buffer) => unknown): Frames =>
  new Frames((message, raw) => {
    const own = message.method === undefined && typeof message.id === 'string' ? asked.get(message.id) : undefined;
    if (own !== undefined) {
      asked.delete(message.id as string);
      own(message);
      return;
    }
    note(from, message);
    write(raw);
  });

const fromClient = passOn('client', (raw) => server.stdin.write(raw));
process.stdin.on('data', (chunk: Buffer) => { fromClient.push(chunk); });
process.stdin.on('end', () => server.stdin.end());
server.stdin.on('error', () => undefined);

const fromServer = passOn('server', (raw) => process.stdout.write(raw));
server.stdout.on('data', (chunk: Buffer) => { fromServer.push(chunk); });

const socket = path.join(folder, 'ask.sock');
rmSync(socket, { force: true });
const listener = net.createServer((connection) => {
  let text = '';
  connection.setEncoding('utf8');
  connection.on('error', () => undefined);
  connection.on('data', (chunk: string) => {
    text += chunk;
    if (!text.endsWith('\n')) return;
    count += 1;
    const id = `relay-${String(count)}`;
    const { to, silent, ...message } = JSON.parse(text) as Message & { to: Side; silent: boolean };
    const answered = (answer: unknown): unknown => connection.end(`${JSON.stringify(answer)}\n`);
    if (silent) answered({ result: null });
    else asked.set(id, answered);
    const raw = frame({ jsonrpc: '2.0', ...(silent ? {} : { id }), ...message });
    if (to === 'server') server.stdin.write(raw);
    else process.stdout.write(raw);
  });
});
listener.listen(socket);

server.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
process.on('SIGTERM', () => server.kill('SIGTERM'));
