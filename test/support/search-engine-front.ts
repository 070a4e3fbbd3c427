import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * How a SearchEngineFront answers: stuck to no search, slow to none but those that look at one passage,
 * hasty with what was found until then.
 */
export type Mood =
  'pass' | 'silent' | 'page' | 'password' | 'other' | 'cut' | 'stuck' | 'slow' | 'hasty';

/** What stands before a search engine, and may answer in its place. */
export class SearchEngineFront {
  mood: Mood = 'pass';
  /** How often it was asked what it is. */
  greetings = 0;
  /** What it was asked for. */
  readonly paths = new Set<string>();
  /** Which requests wait for `gate`, by what they write, and where. */
  held: (body: string, path: string) => boolean = () => false;
  gate = Promise.resolve();
  /** How many did. */
  waiting = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: string,
  ) {}

  static async start(target: string): Promise<SearchEngineFront> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const front = new SearchEngineFront(server, target);
    server.on('request', (request, response) => {
      void buffer(request).then(async (body) => {
        await front.answer(
          String(request.method),
          String(request.url),
          request.headers,
          body,
          response,
        );
      });
    });
    return front;
  }

  /** Host and port. */
  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(
    method: string,
    path: string,
    headers: NodeJS.Dict<string | string[]>,
    body: Buffer,
    response: ServerResponse,
  ): Promise<void> {
    const json = (status: number, value: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    this.paths.add(path);
    if (path === '/') this.greetings++;
    if (this.held(body.toString(), path)) {
      this.waiting++;
      await this.gate;
      // Whoever asked has given it up.
      if (response.closed) return;
    }
    const isSearch = path.includes('/_search');
    switch (this.mood) {
      case 'silent':
        return;
      case 'cut':
        response.destroy();
        return;
      case 'page':
        response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
        return;
      case 'password':
        json(401, { error: { type: 'security_exception', reason: headers['authorization'] } });
        return;
      case 'other':
        json(200, { version: { number: '8.15.0', build_flavor: 'default' }, hits: { hits: [] } });
        return;
      case 'stuck':
      case 'slow':
      case 'hasty':
      case 'pass': {
        if (isSearch && this.mood === 'stuck') return;
        if (isSearch && this.mood === 'slow' && !body.includes('"terminate_after":1')) return;
        const answer = await fetch(this.target + path, {
          method,
          headers: { 'content-type': String(headers['content-type'] ?? 'application/json') },
          ...(body.length > 0 && { body: new Uint8Array(body) }),
        }).catch(() => undefined);
        if (!answer) response.destroy();
        else {
          const value = (await answer.json()) as object;
          const isCut = this.mood === 'hasty' && isSearch;
          json(answer.status, isCut ? { ...value, timed_out: true } : value);
        }
      }
    }
  }
}
