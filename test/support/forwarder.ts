import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** An address that leads to one server and later to another, as a virtual IP address does. */
export class Forwarder {
  private readonly pairs = new Set<readonly [Socket, Socket]>();

  private constructor(
    private readonly server: Server,
    private target: number,
  ) {}

  /** @param target a port on loopback */
  static async start(target: number): Promise<Forwarder> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const forwarder = new Forwarder(server, target);
    server.on('connection', (socket) => {
      forwarder.forward(socket);
    });
    return forwarder;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Leads new connections to another port, and resets those to the former. */
  moveTo(target: number): void {
    this.target = target;
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
  }

  /** Open connections stay open but silent, as those to a machine that is gone; new ones work. */
  silence(): void {
    for (const [one, other] of this.pairs) {
      one.unpipe().pause();
      other.unpipe().pause();
    }
  }

  stop(): void {
    this.server.close();
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
  }

  private forward(socket: Socket): void {
    const other = connect(this.target, '127.0.0.1');
    const pair = [socket, other] as const;
    this.pairs.add(pair);
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      from.pipe(to);
      // A connection that is refused or reset is so for both sides.
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        this.pairs.delete(pair);
      });
    }
  }
}
