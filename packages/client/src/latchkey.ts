import { LatchkeyError } from './error.js';
import { readChatEvents } from './chat-events.js';
import { Prover, type ProvingKeyPair } from './prover.js';
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
  RotatedKey,
  QueryAnswer,
  QueryRequest,
} from './types.js';

export interface LatchkeyOptions extends TransportOptions {
  /**
   * An API key, on a server only, or a client token. Pass a function for tokens that expire: it is called at the
   * first request, and again when the service says that the token has expired.
   */
  readonly apiKey: string | (() => string | Promise<string>);
  /**
   * The key pair that the API key or client token is bound to (`sender_constraint`). Each request then has a
   * proof of it.
   */
  readonly dpop?: ProvingKeyPair;
}

/** Asks the knowledge base that the key belongs to. All methods throw LatchkeyError. */
export class Latchkey {
  private readonly transport: Transport;
  private readonly apiKey: () => string | Promise<string>;
  private readonly scheme: 'Bearer' | 'DPoP';
  private token: Promise<string> | undefined;

  constructor(options: LatchkeyOptions) {
    const { apiKey, dpop } = options;
    this.scheme = dpop ? 'DPoP' : 'Bearer';
    this.transport = new Transport(options, dpop && new Prover(dpop));
    this.apiKey = typeof apiKey === 'string' ? () => apiKey : apiKey;
  }

  /** The passages relevant to a message, best first; no language model is used. */
  query(request: QueryRequest, options?: CallOptions): Promise<QueryAnswer> {
    return this.json({ method: 'POST', path: '/api/v1/query', body: request }, options);
  }

  /** An answer from the documents, with its sources. */
  chat(request: ChatRequest, options?: CallOptions): Promise<ChatAnswer> {
    return this.json({ method: 'POST', path: '/api/v1/chat', body: request }, options);
  }

  /**
   * Streams an answer while it is written: `message_start`, `sources`, any number of `delta`, `related` if the
   * question is not answered, and `message_end` with the whole answer. Leaving the loop ends the request.
   */
  async *chatStream(
    request: ChatRequest,
    options?: CallOptions,
  ): AsyncGenerator<ChatEvent, void, undefined> {
    const body = { ...request, stream: true };
    const stream = await this.authorized((headers) =>
      this.transport.stream({ method: 'POST', path: '/api/v1/chat', body, headers }, options),
    );
    yield* readChatEvents(stream);
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

  /** Creates a credential for a browser or an app, which expires by itself and with its key. */
  createClientToken(request: ClientTokenRequest, options?: CallOptions): Promise<ClientToken> {
    return this.json({ method: 'POST', path: '/api/v1/client-tokens', body: request }, options);
  }

  /** What the key may do, and the rest of its limits. The request does not count as a use of the key. */
  key(options?: CallOptions): Promise<KeyView> {
    return this.json({ method: 'GET', path: '/api/v1/key' }, options);
  }

  /**
   * Creates a successor of the key, if the key may rotate itself; the old key works until
   * `replaced_key_expires_at`. This client goes on with the old key.
   *
   * @param idempotencyKey a text of your own, new for each rotation: if the answer is lost, the same one gives the
   *   same successor, with a new secret
   */
  rotateKey(idempotencyKey: string, options?: CallOptions): Promise<RotatedKey> {
    const headers = { 'idempotency-key': idempotencyKey };
    return this.json({ method: 'POST', path: '/api/v1/key/rotate', headers }, options);
  }

  /** Ends the key: every request with it is refused from then on. */
  async revokeKey(options?: CallOptions): Promise<void> {
    await this.json({ method: 'POST', path: '/api/v1/key/revoke' }, options);
  }

  /** Adds a document, or replaces the one that has the id. It is indexed in the background. */
  ingest(externalId: string, request: IngestRequest, options?: CallOptions): Promise<Document> {
    const body = 'file' in request ? toForm(request) : request;
    return this.json({ method: 'PUT', path: buildIngestPath(externalId), body }, options);
  }

  /** A document that was ingested; its `status` says whether it can be found. */
  ingestedDocument(externalId: string, options?: CallOptions): Promise<Document> {
    return this.json({ method: 'GET', path: buildIngestPath(externalId) }, options);
  }

  async deleteIngestedDocument(externalId: string, options?: CallOptions): Promise<void> {
    await this.json({ method: 'DELETE', path: buildIngestPath(externalId) }, options);
  }

  private json<T>(request: HttpRequest, options?: CallOptions): Promise<T> {
    return this.authorized((authorization) => {
      const headers = { ...request.headers, ...authorization };
      return this.transport.json<T>({ ...request, headers }, options);
    });
  }

  /** Requests a new token if the current one has expired, once. */
  private async authorized<T>(call: (headers: Record<string, string>) => Promise<T>): Promise<T> {
    const token = (this.token ??= this.requestToken());
    try {
      return await call({ authorization: `${this.scheme} ${await token}` });
    } catch (error) {
      if (!(error instanceof LatchkeyError && error.code === 'client_token_expired')) throw error;
      if (this.token === token) this.token = this.requestToken();
      return await call({ authorization: `${this.scheme} ${await this.token}` });
    }
  }

  private requestToken(): Promise<string> {
    const token = Promise.resolve(this.apiKey());
    // The next call tries again.
    token.catch(() => {
      if (this.token === token) this.token = undefined;
    });
    return token;
  }
}

const buildIngestPath = (externalId: string) =>
  `/api/v1/ingest/documents/${encodeURIComponent(externalId)}`;

function toForm({ file, file_name, ...fields }: Extract<IngestRequest, { file: Blob }>): FormData {
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
