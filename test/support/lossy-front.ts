import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Stands before a service, refuses requests, and can lose answers after the service has given them. */
export class LossyFront {
  /** The statuses by which it refuses requests itself, by their paths. */
  readonly refusals = new Map<string, number>();
  /** Whether the next answer is lost. */
  losesNext = false;

  private constructor(
    private readonly server: Server,
    private readonly target: string,
  ) {}

  static async start(target: string): Promise<LossyFront> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const front = new LossyFront(server, target);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void front.forward(request, response);
    });
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = this.refusals.get(String(request.url));
    if (refusal !== undefined) {
      response.writeHead(refusal, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const { authorization = '', 'idempotency-key': attempt } = request.headers;
    const body = await buffer(request);
    const answer = await fetch(`${this.target}${request.url ?? ''}`, {
      method: request.method ?? 'GET',
      headers: {
        authorization,
        ...(attempt !== undefined && { 'idempotency-key': String(attempt) }),
      },
      ...(body.length > 0 && { body }),
    });
    const text = await answer.text();
    if (this.losesNext) {
      this.losesNext = false;
      request.socket.destroy();
      return;
    }
    const type = answer.headers.get('content-type') ?? 'text/plain';
    response.writeHead(answer.status, { 'content-type': type }).end(text);
  }
}
