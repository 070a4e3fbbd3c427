import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer } from './local-server.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A website with pages that a test can change. */
export class WebSite extends LocalServer {
  /** The pages by path; all others are 404. */
  readonly pages = new Map<string, string | Answer>();

  static start(): Promise<WebSite> {
    return new WebSite().listen();
  }

  /** A page with a title and links. */
  page(path: string, title: string, links: readonly string[] = [], text = ''): void {
    const anchors = links.map((link) => `<a href="${link}">${link}</a>`).join(' ');
    this.pages.set(path, `<title>${title}</title><p>${text}</p>${anchors}`);
  }

  /** Records the status, too: `GET /path 200`. */
  protected override record(response: ServerResponse): void {
    const { method = '', url = '' } = response.req;
    response.on('finish', () => this.requests.push(`${method} ${url} ${response.statusCode}`));
  }

  protected answer(request: IncomingMessage, response: ServerResponse): void {
    const { url = '' } = request;
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
