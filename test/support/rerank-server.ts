import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** The more often a text contains this word, the more relevant it is. */
export const RELEVANT = 'gold';
/** Text Embeddings Inference takes no more texts in a request. */
const MAX_TEXTS = 32;

type Form = 'documents' | 'texts';
type Body = { readonly query: string; readonly model?: string } & Partial<Record<Form, string[]>>;
interface Scored {
  index: unknown;
  score: unknown;
}

const nonsense =
  (change: (scored: Scored[]) => unknown) => (response: ServerResponse, s: Scored[]) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(change(s)));

/** How an endpoint can fail. */
export const FAILURES = {
  error: (response: ServerResponse) => response.writeHead(500).end('{}'),
  rejection: (response: ServerResponse) => response.writeHead(422).end('{}'),
  redirect: (response: ServerResponse) => response.writeHead(307, { location: '/other' }).end(),
  page: (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome</p>'),
  'a wrong index': nonsense(([first, ...rest]) => [{ ...first, index: 99 }, ...rest]),
  'an index twice': nonsense(([first, ...rest]) => [first, first, ...rest.slice(1)]),
  'no score': nonsense((scored) => scored.map(({ index }) => ({ index, score: null }))),
  'a missing result': nonsense(([, ...rest]) => rest),
  'no end': (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/json' }).write('[{"index":0,'),
  silence: () => undefined,
} satisfies Record<string, (response: ServerResponse, scored: Scored[]) => unknown>;

/** An endpoint with `/rerank`, in either form of the request. */
export class RerankServer {
  /** How it fails; undefined when it works. */
  failure: keyof typeof FAILURES | undefined;
  form: Form = 'documents';
  /** How long it takes before it answers or fails. */
  delayMs = 0;
  /** Requests are answered when it is resolved. */
  gate = Promise.resolve();
  /** The texts of each request that it has answered. */
  readonly requests: { readonly path: string; readonly body: Body; readonly texts: string[] }[] =
    [];
  readonly credentials = new Set<string>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<RerankServer> {
    const server = createServer();
    const endpoint = new RerankServer(server);
    server.on('request', (request, response) => {
      void json(request).then(async (body) => {
        endpoint.credentials.add(String(request.headers.authorization));
        if (endpoint.delayMs > 0) await pause(endpoint.delayMs);
        await endpoint.gate;
        endpoint.answer(String(request.url), body as Body, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return endpoint;
  }

  private answer(path: string, body: Body, response: ServerResponse): void {
    const texts = body[this.form];
    if (!texts || (this.form === 'texts' && texts.length > MAX_TEXTS)) {
      response.writeHead(422).end();
      return;
    }
    this.requests.push({ path, body, texts });
    const scored = texts
      .map((text, index) => ({ index, score: text.split(RELEVANT).length - 1 }))
      .sort((one, other) => other.score - one.score);
    if (this.failure) {
      FAILURES[this.failure](response, scored);
      return;
    }
    const results = scored.map(({ index, score }) => ({ index, relevance_score: score - 0.5 }));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(this.form === 'texts' ? scored : { results }));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
