import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson } from '@latchkey/text/parse-json';
import { type SourceContext, SourceError } from './source-kind.js';

const ATTEMPTS = 5;
/** If a server asks for a longer pause, the run ends and the next one tries again. */
const MAX_PAUSE_S = 60;

/** Sends the requests of a kind: pauses when a server asks for it, and explains failures. */
export class ThrottledClient {
  constructor(
    private readonly context: SourceContext,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /**
   * Returns any answer of the server, except that a throttled request is repeated after the pause that the
   * server asks for.
   *
   * @throws SourceError `unreachable` or `throttled`
   */
  async request(url: string, init: RequestInit = {}): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.send(url, init);
      if (!isThrottled(response)) return response;
      await response.body?.cancel();
      const pause = parseRetryAfter(response) ?? 2 ** (attempt - 1);
      if (attempt === ATTEMPTS || pause > MAX_PAUSE_S) {
        throw new SourceError('throttled', `${getHost(url)} asks for fewer requests.`);
      }
      await sleep(pause * 1000, undefined, { signal: this.context.signal });
    }
  }

  /**
   * Reads the body of a successful answer.
   *
   * @throws SourceError for any other status, or if the body is larger than `maxBytes`
   */
  async readText(url: string, maxBytes: number, init?: RequestInit): Promise<string> {
    const response = await this.request(url, init);
    if (!response.ok) {
      await response.body?.cancel();
      throw toStatusError(url, response.status);
    }
    return (await readBytes(response, maxBytes)).toString();
  }

  /** @throws SourceError also if the answer is not valid JSON, as when it was cut off */
  async readJson(url: string, maxBytes: number, init?: RequestInit): Promise<unknown> {
    const text = await this.readText(url, maxBytes, init);
    try {
      return parseJson(text);
    } catch (error) {
      const message = `${getHost(url)} sent an answer that is no JSON, or was cut.`;
      throw new SourceError('incomplete_listing', message, { cause: error });
    }
  }

  private async send(url: string, init: RequestInit): Promise<Response> {
    const { signal, userAgent } = this.context;
    signal.throwIfAborted();
    const headers = {
      'user-agent': userAgent,
      ...this.headers,
      ...Object.fromEntries(new Headers(init.headers)),
    };
    try {
      return await this.context.fetch(url, { signal, ...init, headers });
    } catch (error) {
      throw toFailure(url, error, signal);
    }
  }
}

const isThrottled = ({ status, headers }: Response) =>
  status === 429 || (status === 503 && headers.has('retry-after'));

/** Reads the header `retry-after`, which is a number of seconds or a date. */
function parseRetryAfter({ headers }: Response): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value);
  // The server's own clock is used, which may differ from that of the service.
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}

function toFailure(url: string, error: unknown, signal: AbortSignal): unknown {
  if (error instanceof SourceError || signal.aborted) return error;
  return new SourceError('unreachable', `${getHost(url)} cannot be reached.`, { cause: error });
}

/** Leaves out path and query, which may contain a secret. */
export const getHost = (url: string) => new URL(url).host;

export function toStatusError(url: string, status: number): SourceError {
  const host = getHost(url);
  if (status === 401 || status === 403) {
    return new SourceError('unauthorized', `${host} refuses the credentials (status ${status}).`);
  }
  if (status === 404 || status === 410) {
    return new SourceError('not_found', `${host} has nothing there (status ${status}).`);
  }
  return new SourceError('unreachable', `${host} answered with status ${status}.`);
}

/** @throws SourceError `too_large` as soon as the limit is reached, or `unreachable` if the connection ends early */
export async function readBytes(response: Response, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of readBounded(response, maxBytes)) parts.push(part);
  return Buffer.concat(parts);
}

/** Yields the body in parts, with the same errors as `readBytes`. */
export async function* readBounded(
  response: Response,
  maxBytes: number,
): AsyncGenerator<Buffer, void> {
  if (!response.body) return;
  const tooLarge = new SourceError('too_large', `It is larger than ${maxBytes} bytes.`);
  let bytes = 0;
  try {
    for await (const part of Readable.fromWeb(response.body)) {
      if (!(part instanceof Uint8Array)) continue;
      bytes += part.byteLength;
      if (bytes > maxBytes) throw tooLarge;
      yield Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    }
  } catch (error) {
    if (error instanceof SourceError || (error instanceof Error && error.name === 'AbortError')) {
      throw error;
    }
    throw new SourceError('unreachable', 'The connection ended within an answer.', {
      cause: error,
    });
  }
}

/** The body as a stream, as `load` returns it. */
export const streamBody = (response: Response, maxBytes: number): Readable =>
  Readable.from(readBounded(response, maxBytes), { objectMode: false });
