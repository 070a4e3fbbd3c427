import { LatchkeyError } from './error.js';
import type { Prover } from './prover.js';
import type { Problem } from './types.js';

export interface TransportOptions {
  /** The address of the service, such as `https://kb.example.com`. */
  readonly baseUrl: string;
  /** How long to wait for an answer. 60,000 unless given. */
  readonly timeoutMs?: number;
  /** How often a request is repeated while the service is too busy. 4 unless given. */
  readonly maxRetries?: number;
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  /** Ends the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Gets the answer to a request that was not refused, such as for its status and headers. */
  readonly onResponse?: (response: Pick<Response, 'status' | 'headers'>) => void;
}

export interface HttpRequest {
  readonly method: string;
  /** The path below the base URL, with its query. */
  readonly path: string;
  readonly headers?: Record<string, string>;
  /** Sent as a form if it is one, else as JSON. */
  readonly body?: FormData | object;
}

export interface ByteStream {
  /** The next bytes; undefined at the end. */
  readonly read: () => Promise<Uint8Array | undefined>;
  readonly cancel: () => Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_RETRIES = 4;
/** A longer wait, such as for a daily limit, is not worth it. */
const LONGEST_WAIT_SECONDS = 60;

/** Sends requests, repeats them while the service is too busy, and throws refusals. */
export class Transport {
  readonly url: string;
  private readonly timeoutMs: number;
  private readonly maxRetries: number;
  private readonly fetch: typeof globalThis.fetch;

  /** @param prover proves each request, which then needs a credential in the header `authorization` */
  constructor(
    options: TransportOptions,
    private readonly prover?: Prover,
  ) {
    this.url = options.baseUrl.replace(/\/+$/, '');
    this.timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.maxRetries = options.maxRetries ?? DEFAULT_RETRIES;
    // Browsers refuse to call it as a method of another object.
    this.fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  }

  /** @throws LatchkeyError */
  json<T>(request: HttpRequest, options?: CallOptions): Promise<T> {
    return this.answer(request, options, async (response) => (await this.readBody(response)) as T);
  }

  /**
   * The bytes of a file.
   *
   * @throws LatchkeyError
   */
  blob(request: HttpRequest, options?: CallOptions): Promise<Blob> {
    return this.answer(request, options, (response) =>
      response.blob().catch((error: unknown) => {
        throw LatchkeyError.cutOff(response.status, error);
      }),
    );
  }

  private async answer<T>(
    request: HttpRequest,
    { signal, onResponse }: CallOptions = {},
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const timeout = AbortSignal.timeout(this.timeoutMs);
    const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
    try {
      const response = await this.send(request, either);
      onResponse?.(response);
      return await read(response);
    } catch (error) {
      signal?.throwIfAborted();
      if (timeout.aborted) throw LatchkeyError.timedOut(this.url, this.timeoutMs);
      throw error;
    }
  }

  /**
   * Opens a stream. The time-out holds for its beginning, and for each pause in it.
   *
   * @throws LatchkeyError
   */
  async stream(
    request: HttpRequest,
    { signal, onResponse }: CallOptions = {},
  ): Promise<ByteStream> {
    const idle = new AbortController();
    const either = signal ? AbortSignal.any([signal, idle.signal]) : idle.signal;
    const within = async <T>(step: () => Promise<T>): Promise<T> => {
      const timer = setTimeout(() => {
        idle.abort();
      }, this.timeoutMs);
      try {
        return await step();
      } catch (error) {
        signal?.throwIfAborted();
        if (idle.signal.aborted) throw LatchkeyError.timedOut(this.url, this.timeoutMs);
        throw error;
      } finally {
        clearTimeout(timer);
      }
    };
    const response = await within(() => this.send(request, either));
    onResponse?.(response);
    const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
    if (!reader || !/^text\/event-stream\b/.test(response.headers.get('content-type') ?? '')) {
      throw LatchkeyError.notLatchkey(response.status, this.url);
    }
    const next = () =>
      reader.read().catch((error: unknown) => {
        throw LatchkeyError.cutOff(response.status, error);
      });
    return {
      read: async () => (await within(next)).value,
      cancel: () => reader.cancel().catch(() => undefined),
    };
  }

  private async send(request: HttpRequest, signal: AbortSignal): Promise<Response> {
    for (let retries = 0; ; retries++) {
      const response = await this.fetchProved(request, signal);
      if (response.ok) return response;
      const busy = response.status === 429 || response.status === 503;
      // A proxy in front of the service may send a date, or no Retry-After.
      const seconds = Number(response.headers.get('retry-after')) || 2 ** retries;
      if (!busy || retries === this.maxRetries || seconds > LONGEST_WAIT_SECONDS) {
        throw LatchkeyError.refused((await this.readBody(response)) as Problem);
      }
      await response.body?.cancel();
      // The random part keeps clients that were refused together from returning together.
      await waitUnlessAborted((seconds + Math.random()) * 1000, signal);
    }
  }

  /** Repeats a request once whose proof lacks the nonce that the service wants. */
  private async fetchProved(request: HttpRequest, signal: AbortSignal): Promise<Response> {
    const { prover } = this;
    const response = await this.fetchOnce(request, signal);
    if (!prover?.takeNonce(response)) return response;
    await response.body?.cancel();
    const second = await this.fetchOnce(request, signal);
    prover.takeNonce(second);
    return second;
  }

  private async fetchOnce(request: HttpRequest, signal: AbortSignal): Promise<Response> {
    const { method, path, headers, body } = request;
    const [, credential = ''] = headers?.['authorization']?.split(' ') ?? [];
    const dpop = await this.prover?.prove(method, this.url + path, credential);
    const isForm = body instanceof FormData;
    const init: RequestInit = {
      method,
      signal,
      headers: {
        ...headers,
        ...(dpop !== undefined && { dpop }),
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    };
    const { fetch } = this;
    try {
      return await fetch(this.url + path, init);
    } catch (error) {
      signal.throwIfAborted();
      throw LatchkeyError.unreachable(this.url, error);
    }
  }

  /** A proxy in front of the service may answer by itself, and not in JSON. */
  private async readBody(response: Response): Promise<unknown> {
    const text = await response.text().catch((error: unknown) => {
      throw LatchkeyError.cutOff(response.status, error);
    });
    try {
      const body: unknown = JSON.parse(text);
      if (response.ok || isProblem(body)) return body;
    } catch {
      // Reported below.
    }
    throw LatchkeyError.notLatchkey(response.status, this.url);
  }
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'detail' in body;

function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', abort);
    function end() {
      signal.removeEventListener('abort', abort);
      resolve();
    }
    function abort() {
      clearTimeout(timer);
      reject(signal.reason as Error);
    }
  });
}
