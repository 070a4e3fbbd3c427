import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on this machine that a test gives content, and whose answers it can take over. */
export abstract class LocalServer {
  /** By method, path and query. */
  readonly requests: string[] = [];
  /** Answers instead of the server, when it returns true. */
  intercept: (request: IncomingMessage, response: ServerResponse, url: URL) => boolean = () =>
    false;
  origin = '';
  private readonly server = createServer((request, response) => {
    const url = new URL(request.url ?? '', this.origin);
    this.record(response);
    if (!this.intercept(request, response, url)) void this.answer(request, response, url);
  });

  get url(): string {
    return this.origin;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  protected async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const { port } = this.server.address() as AddressInfo;
    this.origin = `http://127.0.0.1:${port}`;
    return this;
  }

  protected record({ req: { method = '', url = '' } }: ServerResponse): void {
    this.requests.push(`${method} ${url}`);
  }

  protected abstract answer(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): void | Promise<void>;
}
