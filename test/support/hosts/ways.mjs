import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

/**
 * The ways between this process and a network of namespaces, through a process on one of its machines.
 * A socket belongs to the namespace in which it was made, whoever uses it: so a socket that listens on
 * loopback here is handed to that process.
 */
export class Ways {
  /** @type {import('node:child_process').ChildProcess} */
  #process;

  /**
   * @param {import('./network.mjs').Network} network
   * @param {string} machine
   */
  constructor(network, machine) {
    const script = fileURLToPath(new URL('./forward.mjs', import.meta.url));
    this.#process = network.spawn(machine, [process.execPath, script], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  }

  /**
   * @param {string} host
   * @param {number} port
   * @returns {Promise<number>} the port on loopback here that leads there
   */
  async to(host, port) {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (typeof address !== 'object' || !address) throw new Error('no port');
    await new Promise((resolve) => this.#process.send({ host, port }, server, {}, resolve));
    server.close();
    return address.port;
  }

  /**
   * Gives a server of this process the connections that machines make to a port.
   *
   * @param {import('node:net').Server} server
   * @param {number} port of the machine
   */
  async from(server, port) {
    this.#process.on('message', (message, socket) => {
      if (/** @type {any} */ (message).port === port && socket) server.emit('connection', socket);
    });
    this.#process.send({ port });
    for (;;) {
      const [{ listening }] = await once(this.#process, 'message');
      if (listening === port) return;
    }
  }

  stop() {
    if (this.#process.connected) this.#process.disconnect();
  }
}
