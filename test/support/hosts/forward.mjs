// Runs on the clients' machine, a network namespace, started by ways.mjs.
//   {host, port} with a server: passes what comes to that server, which listens outside, on to there
//   {port}: listens on the machine, and hands its connections out
import { connect, createServer } from 'node:net';

process.on('disconnect', () => process.exit());
process.on('message', (/** @type {any} */ { host, port }, /** @type {any} */ server) => {
  if (server === undefined) {
    createServer({ pauseOnConnect: true }, (socket) => process.send?.({ port }, socket)).listen(
      { port, host: '0.0.0.0' },
      () => process.send?.({ listening: port }),
    );
    return;
  }
  server.on('connection', (/** @type {import('node:net').Socket} */ socket) => {
    const there = connect({ host, port, noDelay: true });
    socket.setNoDelay(true);
    for (const [one, other] of [
      [socket, there],
      [there, socket],
    ]) {
      one?.on('error', () => other?.destroy()).on('close', () => other?.destroy());
      if (other) one?.pipe(other);
    }
  });
});
