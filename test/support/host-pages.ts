import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface HostPage {
  readonly body: string;
  readonly headers?: Record<string, string>;
  readonly type?: string;
}

/** Pages of somebody else's website, which have nothing to do with the service. */
export class HostPages {
  private readonly pages = new Map<string, HostPage>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(): Promise<HostPages> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const pages = new HostPages(server, (server.address() as AddressInfo).port);
    server.on('request', ({ url = '' }, response) => {
      const page = pages.pages.get(url.split('?')[0] ?? '');
      if (!page) {
        response.writeHead(404).end();
        return;
      }
      const { body, headers, type = 'text/html; charset=utf-8' } = page;
      response.writeHead(200, { 'content-type': type, ...headers }).end(body);
    });
    return pages;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The same pages at another origin. */
  get otherOrigin(): string {
    return `http://localhost:${this.port}`;
  }

  /** @returns the address of the page */
  put(path: string, page: HostPage): string {
    this.pages.set(path, page);
    return this.origin + path;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** A page as a person writes it, with a heading and some text. */
export const toHtml = (
  content: string,
  { head = '', attributes = 'lang="en"' }: { head?: string; attributes?: string } = {},
): string => `<!doctype html>
<html ${attributes}>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Our shop</title>
    ${head}
  </head>
  <body><main><h1>Our shop</h1><p>We sell chairs.</p></main>${content}</body>
</html>`;
