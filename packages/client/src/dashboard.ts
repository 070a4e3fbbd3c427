import { readChatEvents } from './chat-events.js';
import type { paths } from './openapi.js';
import { type CallOptions, Transport, type TransportOptions } from './transport.js';
import type { ChatEvent, DashboardAnswer, DashboardChatRequest } from './types.js';

export interface DashboardOptions extends TransportOptions {
  /**
   * Headers that identify the dashboard user, such as `x-idp-user-id`, and `authorization` if the service
   * verifies an identity provider's tokens. Called for each request.
   */
  readonly headers: () => Record<string, string> | Promise<Record<string, string>>;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];

type Operation<P extends keyof paths, M extends Method> = paths[P][M];

type In<O, Place extends 'path' | 'query'> = O extends {
  parameters: Partial<Record<Place, infer T>>;
}
  ? NonNullable<T>
  : never;

type Sent<O> = O extends { requestBody?: { content: { 'application/json': infer T } } } ? T : never;

type JsonOf<R> = R extends { content: { 'application/json': infer T } } ? T : never;
type Received<O> = O extends { responses: infer R }
  ? JsonOf<R[Extract<keyof R, 200 | 201 | 202>]>
  : never;

/** The path, query and body that the operation accepts. */
type Input<O> = ([In<O, 'path'>] extends [never] ? unknown : { path: In<O, 'path'> }) &
  ([In<O, 'query'>] extends [never] ? unknown : { query?: In<O, 'query'> }) &
  ([Sent<O>] extends [never] ? unknown : { body?: Sent<O> | FormData }) & {
    headers?: Record<string, string>;
  };

/**
 * Calls the dashboard's operations, such as
 * `dashboard.get('/api/v1/kbs/{kb_id}', { path: { kb_id } })`. All methods throw LatchkeyError.
 */
export class LatchkeyDashboard {
  private readonly transport: Transport;

  constructor(private readonly options: DashboardOptions) {
    this.transport = new Transport(options);
  }

  get = this.createCaller('get');
  post = this.createCaller('post');
  put = this.createCaller('put');
  patch = this.createCaller('patch');
  delete = this.createCaller('delete');

  /** An answer while it is written, for a dashboard user; it is not stored. */
  async *chatStream(
    kbId: string,
    request: DashboardChatRequest,
    options?: CallOptions,
  ): AsyncGenerator<ChatEvent<DashboardAnswer>, void> {
    const path = `/api/v1/kbs/${encodeURIComponent(kbId)}/chat`;
    const headers = await this.options.headers();
    const body = { ...request, stream: true };
    yield* readChatEvents<DashboardAnswer>(
      await this.transport.stream({ method: 'POST', path, body, headers }, options),
    );
  }

  /** The original of a document, as it was uploaded. */
  async documentContent(documentId: string, options?: CallOptions): Promise<Blob> {
    const path = `/api/v1/documents/${encodeURIComponent(documentId)}/original`;
    return this.transport.blob(
      { method: 'GET', path, headers: await this.options.headers() },
      options,
    );
  }

  /** A page of a document as it is shown: a picture, or HTML without scripts. */
  async documentPage(
    documentId: string,
    place: { readonly page?: number; readonly highlight?: string },
    options?: CallOptions,
  ): Promise<Blob> {
    const path = `/api/v1/documents/${encodeURIComponent(documentId)}/original`;
    return this.transport.blob(
      { method: 'GET', path: path + toQueryString(place), headers: await this.options.headers() },
      options,
    );
  }

  /** The costs of a knowledge base as a table for a spreadsheet, up to 100,000 rows. */
  async costsAsCsv(
    kbId: string,
    query: In<Operation<'/api/v1/kbs/{kb_id}/costs', 'get'>, 'query'> = {},
    options?: CallOptions,
  ): Promise<Blob> {
    const path = `/api/v1/kbs/${encodeURIComponent(kbId)}/costs${toQueryString(query)}`;
    const headers = { ...(await this.options.headers()), accept: 'text/csv' };
    return this.transport.blob({ method: 'GET', path, headers }, options);
  }

  private createCaller<M extends Method>(method: M) {
    return async <P extends PathWith<M>>(
      path: P,
      input: Input<Operation<P, M>> & CallOptions,
    ): Promise<Received<Operation<P, M>>> => {
      const { headers, signal, onResponse, ...rest } = input;
      const {
        path: values = {},
        query = {},
        body,
      } = rest as {
        path?: Record<string, string>;
        query?: Record<string, unknown>;
        body?: object;
      };
      return this.transport.json(
        {
          method: method.toUpperCase(),
          path: fillPath(path, values) + toQueryString(query),
          headers: { ...(await this.options.headers()), ...headers },
          ...(body && { body }),
        },
        { ...(signal && { signal }), ...(onResponse && { onResponse }) },
      );
    };
  }
}

const fillPath = (path: string, values: Record<string, string>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));

function toQueryString(query: Record<string, unknown>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  if (given.length === 0) return '';
  const pairs = given.map(([name, value]): [string, string] => [name, String(value)]);
  return `?${new URLSearchParams(pairs).toString()}`;
}
