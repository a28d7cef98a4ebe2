// Runs a test's functions in the extension host: one JSON line in, `{ source, argument }`, one line out.
// Only a test's own socket leads here; without REDLINE_PROBE it does nothing.
'use strict';
const net = require('node:net');
const vscode = require('vscode');

async function answer(line) {
  try {
    const { source, argument } = JSON.parse(line);
    const value = await (0, eval)(`(${source})`)(vscode, argument);
    return { value: value === undefined ? null : value };
  } catch (error) {
    return { error: String((error && error.stack) || error) };
  }
}

exports.activate = (context) => {
  if (!process.env.REDLINE_PROBE) return;
  const server = net.createServer((socket) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('error', () => undefined);
    socket.on('data', async (chunk) => {
      text += chunk;
      if (text.endsWith('\n')) socket.end(`${JSON.stringify(await answer(text))}\n`);
    });
  });
  server.listen(process.env.REDLINE_PROBE);
  context.subscriptions.push({ dispose: () => server.close() });
};
