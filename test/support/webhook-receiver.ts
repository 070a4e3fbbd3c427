import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An attempt of a delivery, as its receiver saw it. */
export interface Received {
  /** The `webhook-id`. */
  readonly id: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Byte for byte, for the signature. */
  readonly raw: string;
  readonly body: { type: string; timestamp: string; data: Record<string, unknown> };
  readonly at: number;
}

type Behaviour = (response: ServerResponse, received: Received) => void;

export const answersWith =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end();
  };

export const hangs: Behaviour = () => undefined;

/** Takes deliveries on loopback, and does with each what the test says, good or bad. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** Connections, also of who then sent nothing. */
  connections = 0;
  behave: Behaviour = answersWith(204);

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(port = 0): Promise<WebhookReceiver> {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    const receiver = new WebhookReceiver(server, (server.address() as AddressInfo).port);
    server.on('connection', () => receiver.connections++);
    server.on('request', (request, response) => {
      void text(request).then((raw) => {
        const { url: path = '', headers } = request;
        const id = String(headers['webhook-id']);
        const body = JSON.parse(raw) as Received['body'];
        const received = { id, path, headers, raw, body, at: Date.now() };
        receiver.received.push(received);
        receiver.behave(response, received);
      });
    });
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** What came of an event. */
  of(event: string): Received[] {
    return this.received.filter(({ body }) => body.type === event);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
