// One question, one answer, over a Unix socket: a JSON line each way.
import net from 'node:net';

export function ask(socketPath: string, question: unknown): Promise<unknown> {
  return new Promise((done, failed) => {
    let text = '';
    const socket = net.createConnection(socketPath);
    socket.setEncoding('utf8');
    socket.on('error', failed);
    socket.on('data', (chunk: string) => (text += chunk));
    socket.on('end', () => {
      try {
        done(JSON.parse(text));
      } catch {
        failed(new Error(`no answer: ${text}`));
      }
    });
    socket.write(`${JSON.stringify(question)}\n`);
  });
}
