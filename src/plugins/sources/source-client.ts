import {
  Agent as HttpAgent,
  type IncomingMessage,
  type RequestOptions,
  request as httpRequest,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { type SourceFetch, SourceError } from '@latchkey/sources/source-kind';
import { limitInformation } from '../../platform/http/limit-information.js';
import {
  AddressNotAllowedError,
  lookupPublicAddress,
  findUrlProblem,
} from '../../platform/http/receiver-address.js';

/** The maximum time without data from the server. */
const IDLE_MS = 30_000;
const MAX_REDIRECTS = 5;
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
/** These headers are not sent to another origin. */
const CREDENTIAL_HEADERS = ['authorization', 'cookie', 'proxy-authorization'];

interface ClientOptions {
  readonly allowPrivate: boolean;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

/** Sends the requests of one run. Each connection resolves the name, and only public addresses are allowed. */
export class SourceClient {
  private readonly agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent };

  constructor(private readonly options: ClientOptions) {
    const agent = { keepAlive: true, timeout: IDLE_MS };
    this.agents = { 'http:': new HttpAgent(agent), 'https:': new HttpsAgent(agent) };
  }

  readonly fetch: SourceFetch = async (url, init = {}) => {
    let request = new Request(url, { ...init, redirect: 'manual' });
    const body = request.body ? Buffer.from(await request.arrayBuffer()) : undefined;
    for (let redirects = 0; ; redirects++) {
      const answer = await this.send(request, request.method === 'GET' ? undefined : body);
      const next = init.redirect === 'manual' ? undefined : toRedirectedRequest(request, answer);
      if (!next) return toResponse(request, answer);
      // The body of a redirect is not needed, and may be endless.
      answer.destroy();
      if (redirects === MAX_REDIRECTS || init.redirect === 'error') {
        throw new SourceError('unreachable', 'The server redirects too many times.');
      }
      request = next;
    }
  };

  close(): void {
    this.agents['http:'].destroy();
    this.agents['https:'].destroy();
  }

  private async send(request: Request, body: Buffer | undefined): Promise<IncomingMessage> {
    const { allowPrivate, userAgent } = this.options;
    const url = new URL(request.url);
    if (findUrlProblem(url.href, allowPrivate, true) !== undefined) throw notAllowed();
    const signal = AbortSignal.any([request.signal, this.options.signal]);
    const isHttp = url.protocol === 'http:';
    const options: RequestOptions = {
      method: request.method,
      agent: this.agents[isHttp ? 'http:' : 'https:'],
      signal,
      headers: {
        'user-agent': userAgent,
        'accept-encoding': 'gzip, deflate, br',
        ...Object.fromEntries(request.headers),
        ...(body && { 'content-length': body.length }),
      },
      ...(!allowPrivate && { lookup: lookupPublicAddress }),
    };
    return new Promise<IncomingMessage>((resolve, reject) => {
      const sent = (isHttp ? httpRequest : httpsRequest)(url, options);
      sent.setTimeout(IDLE_MS, () => {
        sent.destroy(new SourceError('unreachable', 'The server does not answer.'));
      });
      limitInformation(sent);
      sent.on('response', resolve);
      sent.on('error', (error) => {
        if (signal.aborted) reject(signal.reason as Error);
        else if (error instanceof AddressNotAllowedError) reject(notAllowed());
        else reject(unreachable(error));
      });
      sent.end(body);
    });
  }
}

function toResponse(request: Request, answer: IncomingMessage): Response {
  const status = answer.statusCode ?? 0;
  // The constructor of Response accepts no other statuses.
  if (status < 200 || status > 599) throw unreachable();
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const hasBody = request.method !== 'HEAD' && !NO_BODY.has(status);
  if (!hasBody) answer.resume();
  const body = hasBody ? decompressBody(answer) : null;
  // The body is decompressed, so these headers no longer apply.
  if (headers.has('content-encoding')) headers.delete('content-length');
  headers.delete('content-encoding');
  const response = new Response(body, { status, headers });
  return Object.defineProperty(response, 'url', { value: request.url });
}

function decompressBody(answer: IncomingMessage): ReadableStream {
  const encoding = answer.headers['content-encoding']?.toLowerCase() ?? '';
  const decompress = encoding === 'br' ? createBrotliDecompress() : createUnzip();
  const isCompressed = ['br', 'gzip', 'x-gzip', 'deflate'].includes(encoding);
  // The last stream passes an error of the connection on to the reader.
  const body = isCompressed ? pipeline(answer, decompress, () => undefined) : answer;
  return Readable.toWeb(body) as ReadableStream;
}

const notAllowed = () =>
  new SourceError('not_allowed', 'The address is not public. SOURCE_ALLOW_PRIVATE can allow it.');

const unreachable = (cause?: Error) =>
  new SourceError('unreachable', 'The server cannot be reached.', { cause });

/** @returns the request that a redirect asks for; undefined for other responses */
function toRedirectedRequest(request: Request, { statusCode = 0, headers }: IncomingMessage) {
  const { location } = headers;
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return undefined;
  if (!URL.canParse(location, request.url)) return undefined;
  const url = new URL(location, request.url);
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  // The constructor of Request refuses credentials in the URL.
  if (!isHttp || url.username !== '' || url.password !== '') throw notAllowed();
  const kept = new Headers(request.headers);
  if (url.origin !== new URL(request.url).origin) {
    for (const name of CREDENTIAL_HEADERS) kept.delete(name);
  }
  const becomesGet = statusCode < 307 && request.method !== 'HEAD';
  const method = becomesGet ? 'GET' : request.method;
  if (method === 'GET') kept.delete('content-type');
  return new Request(url, { method, headers: kept, signal: request.signal, redirect: 'manual' });
}
