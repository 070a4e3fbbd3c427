import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A website whose pages a test changes. */
export class WebSite {
  /** By path; whatever else is asked for is 404. */
  readonly pages = new Map<string, string | Answer>();
  /** `GET /path 200`, in order. */
  readonly requests: string[] = [];
  /** Answers instead of the pages, when it returns true. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<WebSite> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const site = new WebSite(server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => {
      site.answer(request, response);
    });
    return site;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** A page with a title and links. */
  page(path: string, title: string, links: readonly string[] = [], text = ''): void {
    const anchors = links.map((link) => `<a href="${link}">${link}</a>`).join(' ');
    this.pages.set(path, `<title>${title}</title><p>${text}</p>${anchors}`);
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '' } = request;
    response.on('finish', () => this.requests.push(`${method} ${url} ${response.statusCode}`));
    if (this.intercept(request, response)) return;
    const page = this.pages.get(url);
    if (typeof page === 'function') page(request, response);
    else if (page === undefined) response.writeHead(404).end('none');
    else {
      const etag = `"${Buffer.from(page).toString('base64url').slice(-20)}-${page.length}"`;
      if (request.headers['if-none-match'] === etag) {
        response.writeHead(304, { etag }).end();
        return;
      }
      const type = url.endsWith('.md') ? 'text/markdown' : 'text/html';
      response.writeHead(200, { 'content-type': type, etag }).end(page);
    }
  }
}
