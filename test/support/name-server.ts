import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const ADDRESS_RECORD = 1;

/** Public, and led to this machine, as a route may. */
export const ROUTED_ADDRESS = '93.184.216.35';

/** A name server on loopback that answers every question about IPv4 addresses as the test says. */
export class NameServer {
  /** The ids of the questions for the address of each name: one that is sent again has the same. */
  private readonly ids: Record<string, Set<number>> = {};
  addresses: string[] = [];
  /** Addresses of names that have others than `addresses`. */
  readonly addressesOf: Record<string, string[]> = {};

  private constructor(private readonly socket: Socket) {}

  static async start(): Promise<NameServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const server = new NameServer(socket);
    socket.on('message', (query, { port, address }) => {
      socket.send(server.answer(query), port, address);
    });
    return server;
  }

  /** What makes a service ask it, and no other. */
  get environment(): NodeJS.ProcessEnv {
    const query = new URLSearchParams({
      server: `127.0.0.1:${this.socket.address().port}`,
      routed: ROUTED_ADDRESS,
    });
    return { NODE_OPTIONS: `--import=./test/support/use-name-server.mjs?${query.toString()}` };
  }

  /** How often it was asked for the address of a name. */
  questions(name: string): number {
    return this.ids[name]?.size ?? 0;
  }

  async stop(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  /** RFC 1035: the question with its flags turned into those of an answer, and the records. */
  private answer(query: Buffer): Buffer {
    const labels: string[] = [];
    let end = 12;
    for (let length = query.readUInt8(end); length > 0; length = query.readUInt8(end)) {
      labels.push(query.toString('latin1', end + 1, end + 1 + length));
      end += length + 1;
    }
    const isAddress = query.readUInt16BE(end + 1) === ADDRESS_RECORD;
    const name = labels.join('.').toLowerCase();
    if (isAddress) (this.ids[name] ??= new Set()).add(query.readUInt16BE(0));
    const addresses = this.addressesOf[name] ?? this.addresses;
    const records = isAddress ? addresses.map(toRecord) : [];
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    return Buffer.concat([header, query.subarray(12, end + 5), ...records]);
  }
}

/** The name by reference, A, IN, valid for 0 s, four bytes. */
const toRecord = (address: string) =>
  Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
