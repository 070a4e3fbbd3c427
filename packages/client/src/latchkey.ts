import { LatchkeyError } from './error.js';
import { chatEvents } from './chat-events.js';
import {
  type CallOptions,
  type HttpRequest,
  Transport,
  type TransportOptions,
} from './transport.js';
import type {
  ChatAnswer,
  ChatEvent,
  ChatRequest,
  ClientToken,
  ClientTokenRequest,
  Document,
  Feedback,
  IngestRequest,
  KeyView,
  QueryAnswer,
  QueryRequest,
} from './types.js';

export interface LatchkeyOptions extends TransportOptions {
  /**
   * An API key, on a server only, or a client token. A function gives a token that ends: it is
   * called at first use, and again when the service says that the token has ended.
   */
  readonly apiKey: string | (() => string | Promise<string>);
}

/** Asks a knowledge base, which the key names. All methods throw LatchkeyError. */
export class Latchkey {
  private readonly transport: Transport;
  private readonly apiKey: () => string | Promise<string>;
  private token: Promise<string> | undefined;

  constructor(options: LatchkeyOptions) {
    const { apiKey } = options;
    this.transport = new Transport(options);
    this.apiKey = typeof apiKey === 'string' ? () => apiKey : apiKey;
  }

  /** The passages that speak of a message, best first; no model is asked. */
  query(request: QueryRequest, options?: CallOptions): Promise<QueryAnswer> {
    return this.json({ method: 'POST', path: '/api/v1/query', body: request }, options);
  }

  /** An answer from the documents, with its sources. */
  chat(request: ChatRequest, options?: CallOptions): Promise<ChatAnswer> {
    return this.json({ method: 'POST', path: '/api/v1/chat', body: request }, options);
  }

  /**
   * The same, while it is written: `message_start`, `sources`, any number of `delta`, `related` where
   * the question is not answered, and `message_end` with the whole answer. Leaving the loop ends the request.
   */
  async *chatStream(
    request: ChatRequest,
    options?: CallOptions,
  ): AsyncGenerator<ChatEvent, void, undefined> {
    const body = { ...request, stream: true };
    const stream = await this.authorized((headers) =>
      this.transport.stream({ method: 'POST', path: '/api/v1/chat', body, headers }, options),
    );
    yield* chatEvents(stream);
  }

  /** Rates an answer; null takes the rating back. */
  feedback(
    messageId: string,
    feedback: { rating: Feedback['rating']; comment?: string | null },
    options?: CallOptions,
  ): Promise<Feedback> {
    const path = `/api/v1/messages/${encodeURIComponent(messageId)}/feedback`;
    return this.json({ method: 'POST', path, body: feedback }, options);
  }

  /** A credential for a browser or an app, which ends by itself and with its key. */
  createClientToken(request: ClientTokenRequest, options?: CallOptions): Promise<ClientToken> {
    return this.json({ method: 'POST', path: '/api/v1/client-tokens', body: request }, options);
  }

  /** What the key may do, and what is left of its limits. No use of the key. */
  key(options?: CallOptions): Promise<KeyView> {
    return this.json({ method: 'GET', path: '/api/v1/key' }, options);
  }

  /** Adds a document, or replaces the one that has the id. It is indexed in the background. */
  ingest(externalId: string, request: IngestRequest, options?: CallOptions): Promise<Document> {
    const body = 'file' in request ? formOf(request) : request;
    return this.json({ method: 'PUT', path: ingestPath(externalId), body }, options);
  }

  /** A document that was ingested; its `status` says whether it can be found. */
  ingestedDocument(externalId: string, options?: CallOptions): Promise<Document> {
    return this.json({ method: 'GET', path: ingestPath(externalId) }, options);
  }

  async deleteIngestedDocument(externalId: string, options?: CallOptions): Promise<void> {
    await this.json({ method: 'DELETE', path: ingestPath(externalId) }, options);
  }

  private json<T>(request: HttpRequest, options?: CallOptions): Promise<T> {
    return this.authorized((headers) => this.transport.json<T>({ ...request, headers }, options));
  }

  /** A token that has ended is asked for anew, once. */
  private async authorized<T>(call: (headers: Record<string, string>) => Promise<T>): Promise<T> {
    const token = (this.token ??= this.newToken());
    try {
      return await call({ authorization: `Bearer ${await token}` });
    } catch (error) {
      if (!(error instanceof LatchkeyError && error.code === 'client_token_expired')) throw error;
      if (this.token === token) this.token = this.newToken();
      return await call({ authorization: `Bearer ${await this.token}` });
    }
  }

  private newToken(): Promise<string> {
    const token = Promise.resolve(this.apiKey());
    // The next call tries again.
    token.catch(() => {
      if (this.token === token) this.token = undefined;
    });
    return token;
  }
}

const ingestPath = (externalId: string) =>
  `/api/v1/ingest/documents/${encodeURIComponent(externalId)}`;

function formOf({ file, file_name, ...fields }: Extract<IngestRequest, { file: Blob }>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries<unknown>(fields)) {
    if (value === undefined || value === null) continue;
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const name = file_name ?? (file instanceof File ? file.name : undefined);
  if (name === undefined) form.append('file', file);
  else form.append('file', file, name);
  return form;
}
