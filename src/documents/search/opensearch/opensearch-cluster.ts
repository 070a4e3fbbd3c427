import type { Client } from '@opensearch-project/opensearch';
import type { SearchEngineConfig } from '../../../platform/config/search-engine-config.js';
import { SearchUnavailableError } from './search-unavailable-error.js';

/** Of OpenSearch. */
const VERSIONS = /^[23]\./;
/** How long a write, or a look at the state, may take. */
const WRITE_TIMEOUT_MS = 20_000;
/** Once a question has waited for nothing, others do not wait for this long. */
const PAUSE_MS = 3000;
/** What fails sooner keeps nobody waiting. A question may have less than this left when it asks. */
const MIN_SILENCE_MS = 500;
const SILENT = 'it was silent for too long';

export interface ClusterRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** For `_bulk` and the like: a line for each. */
  readonly lines?: readonly object[];
  readonly timeoutMs?: number;
  /** Errors that are an answer: their status, which is then given in place of the body. */
  readonly expected?: readonly number[];
  readonly signal?: AbortSignal | undefined;
}

/** Documents that one request removes. */
const REMOVED_AT_ONCE = 1000;

interface BulkItem {
  readonly status: number;
  readonly error?: { readonly type?: string };
}

type Json = Readonly<Record<string, unknown>>;

/** Requests to an OpenSearch cluster. Its errors have neither credentials nor what was sent. */
export class OpenSearchCluster {
  private client: Promise<Client> | undefined;
  private verified: Promise<void> | undefined;

  /** @param pausedUntil until when questions are refused, by `now`; 0 for not at all. Threads may share it */
  constructor(
    private readonly config: SearchEngineConfig,
    private readonly pausedUntil: Float64Array,
  ) {}

  /** Its first node, as operators know it. */
  get name(): string {
    return this.config.nodes.map((node) => new URL(node).host).join(', ');
  }

  async close(): Promise<void> {
    await (await this.client)?.close();
  }

  /**
   * @returns the body, or `{"status": …}` of an expected error
   * @throws SearchUnavailableError, or an Error for a request that is wrong
   */
  async request(request: ClusterRequest): Promise<Json> {
    this.verified ??= this.verify(request.timeoutMs);
    try {
      await this.verified;
      return await this.send(request);
    } catch (error) {
      // Another server may answer next time.
      this.verified = undefined;
      throw error;
    }
  }

  /**
   * A request of a question. After one that waited for nothing, the next ones fail at once for a while;
   * then one of them asks again.
   *
   * @throws as `request` does
   */
  async ask(request: ClusterRequest): Promise<Json> {
    const began = now();
    const [paused = 0] = this.pausedUntil;
    if (began < paused) throw this.unavailable(`does not answer: ${SILENT}`);
    if (paused > 0) this.pausedUntil[0] = began + PAUSE_MS;
    try {
      const answer = await this.request(request);
      this.pausedUntil[0] = 0;
      return answer;
    } catch (error) {
      const isSilent = error instanceof SearchUnavailableError && now() - began >= MIN_SILENCE_MS;
      if (isSilent) this.pausedUntil[0] = now() + PAUSE_MS;
      throw error;
    }
  }

  /**
   * @param lines of `_bulk`
   * @param refresh whether it is found from then on
   * @throws SearchUnavailableError when the engine did not do all of it; it can be done again
   */
  async write(lines: readonly object[], refresh: boolean): Promise<void> {
    const { items } = await this.request({
      method: 'POST',
      path: '/_bulk',
      // Nothing is written to an index that OpenSearch would make by itself.
      query: { require_alias: 'true', refresh: String(refresh) },
      lines,
    });
    if (!Array.isArray(items)) throw this.unavailable('does not answer as OpenSearch does');
    const failed = (items as Record<string, BulkItem>[])
      .flatMap((item) => Object.values(item))
      .find(({ status, error }) => status >= 300 && error !== undefined);
    if (!failed) return;
    throw this.unavailable(`refuses to write: ${failed.status} ${failed.error?.type ?? ''}`);
  }

  /** Removes what a query finds of a knowledge base; of an index that is not there, nothing. */
  async removeWhere(index: string, kbId: string, query: object): Promise<void> {
    for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE;) {
      const { total } = await this.request({
        method: 'POST',
        path: `/${index}/_delete_by_query`,
        query: {
          routing: kbId,
          conflicts: 'proceed',
          refresh: 'true',
          max_docs: String(REMOVED_AT_ONCE),
        },
        body: { query },
        expected: [404],
      });
      removed = Number(total ?? 0);
    }
  }

  private async verify(timeoutMs: number | undefined): Promise<void> {
    const { version } = await this.send({
      method: 'GET',
      path: '/',
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    const { distribution, number } = (version ?? {}) as Json;
    if (distribution !== 'opensearch' || !VERSIONS.test(String(number))) {
      throw this.unavailable('is not OpenSearch 2 or 3');
    }
  }

  private async send(request: ClusterRequest): Promise<Json> {
    const { method, path, query, body, lines, expected = [], signal } = request;
    const { timeoutMs = WRITE_TIMEOUT_MS } = request;
    this.client ??= connect(this.config);
    const { transport } = await this.client;
    const sent = transport.request(
      {
        method,
        path,
        ...(query && { querystring: { ...query } }),
        ...(body && { body }),
        ...(lines && { bulkBody: [...lines] }),
      },
      { requestTimeout: Math.ceil(timeoutMs) },
    );
    // The client begins anew for each of its attempts; this ends all of them.
    const abort = () => {
      sent.abort();
    };
    const timer = setTimeout(abort, timeoutMs);
    signal?.addEventListener('abort', abort);
    try {
      const answer = await sent;
      const parsed: unknown = answer.body;
      if (typeof parsed !== 'object' || parsed === null) {
        throw this.unavailable('does not answer as OpenSearch does');
      }
      return parsed as Json;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof SearchUnavailableError) throw error;
      const status = statusOf(error);
      if (status !== undefined && expected.includes(status)) return { status };
      if (status === 400) throw refusal(`${method} ${path}: ${typeOf(error)}`);
      throw this.unavailable(
        status === undefined
          ? `does not answer: ${reasonOf(error)}`
          : `answers ${status} (${typeOf(error)})`,
      );
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** What answers is looked at again with the next request: it may be another server. */
  unavailable(what: string): SearchUnavailableError {
    this.verified = undefined;
    return new SearchUnavailableError(`The search engine at ${this.name} ${what}`);
  }
}

/** In milliseconds, the same in all threads, whatever the clock of the machine does. */
const now = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** Without its cause, which has the credentials. */
const refusal = (what: string): Error => new Error(`OpenSearch refuses ${what}`);

/** The package is loaded by those who have a cluster only. */
async function connect({ nodes, auth }: SearchEngineConfig): Promise<Client> {
  const { Client: OpenSearchClient } = await import('@opensearch-project/opensearch');
  return new OpenSearchClient({
    nodes: [...nodes],
    ...(auth && { auth }),
    // Each node once; where there is one, again, since it may have closed an idle connection.
    maxRetries: Math.max(1, nodes.length - 1),
  });
}

/** Of an answer; undefined where there was none. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}

/** The kind of an error as OpenSearch names it, which has nothing of what was sent. */
function typeOf(error: unknown): string {
  const body = error instanceof Error && 'body' in error ? error.body : undefined;
  const found = (body as { error?: { type?: unknown } } | null | undefined)?.error?.type;
  return typeof found === 'string' && /^\w{1,80}$/.test(found) ? found : 'no reason given';
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (/^(TimeoutError|RequestAbortedError)$/.test(error.name)) return SILENT;
  const code = /\bE[A-Z]{3,}\b|\b[A-Z]+_[A-Z_]+\b/.exec(error.message)?.[0];
  return code ?? error.name;
}
