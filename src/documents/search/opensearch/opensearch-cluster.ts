import type { Client } from '@opensearch-project/opensearch';
import { SearchInterruptedError } from '@latchkey/ranking/search-deadline';
import type { SearchEngineConfig } from '../../../platform/config/search-engine-config.js';
import { SearchUnavailableError } from './search-unavailable-error.js';
import type { MayContinue } from '../../../platform/jobs/job-lock.js';

/** Of OpenSearch. */
const VERSIONS = /^[23]\./;
/** How long a write, or a look at the state, may take. */
const WRITE_TIMEOUT_MS = 20_000;
/** The same of what says which server it is. */
const VERIFY_TIMEOUT_MS = 2000;
/** Once a question has waited for nothing, others do not wait for this long. */
const PAUSE_MS = 3000;
/** Whether it is silent, or a question was too heavy, is found out in so long. */
const SILENCE_MS = 500;
/** How long a write waits for a shard that is away, while others wait for it. */
const SHARD_TIMEOUT = '5s';
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

class SilentError extends SearchUnavailableError {}

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
    const { timeoutMs = WRITE_TIMEOUT_MS, signal } = request;
    const endsAt = performance.now() + timeoutMs;
    try {
      await this.waitUntilVerified(timeoutMs, signal);
      return await this.send({ ...request, timeoutMs: Math.max(1, endsAt - performance.now()) });
    } catch (error) {
      // Another server may answer next time.
      this.verified = undefined;
      throw error;
    }
  }

  /** Who waits for what another request has begun keeps to their own time. */
  private async waitUntilVerified(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    this.verified ??= this.verify();
    const { promise: end, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(this.silent());
    }, timeoutMs);
    const abort = () => {
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort);
    try {
      await Promise.race([this.verified, end]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  /**
   * A search. After one that waited for a silent cluster, the next ones fail at once for a while; then one
   * of them asks again.
   *
   * @throws as `request` does
   * @throws SearchInterruptedError where it was too heavy: the cluster answers others in time
   */
  async ask(request: ClusterRequest): Promise<Json> {
    const [paused = 0] = this.pausedUntil;
    if (now() < paused) throw this.silent();
    if (paused > 0) this.pausedUntil[0] = now() + PAUSE_MS;
    try {
      const answer = await this.request(request);
      this.pausedUntil[0] = 0;
      return answer;
    } catch (error) {
      if (!(error instanceof SilentError)) {
        if (paused > 0) this.pausedUntil[0] = request.signal?.aborted ? paused : 0;
        throw error;
      }
      // A look at one passage of the same shard, which may hang while the cluster says what it is.
      const look = { ...request, body: { size: 0, terminate_after: 1 }, timeoutMs: SILENCE_MS };
      const [cluster, shard] = await Promise.allSettled([
        this.waitUntilVerified(SILENCE_MS),
        this.send(look),
      ]);
      const isSilent = cluster.status === 'rejected' && cluster.reason instanceof SilentError;
      this.pausedUntil[0] = isSilent ? now() + PAUSE_MS : 0;
      if (cluster.status === 'rejected' || shard.status === 'rejected') throw error;
      throw new SearchInterruptedError();
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
      query: { require_alias: 'true', refresh: String(refresh), timeout: SHARD_TIMEOUT },
      lines,
    });
    if (!Array.isArray(items)) throw this.unavailable('does not answer as OpenSearch does');
    const failed = (items as Record<string, BulkItem>[])
      .flatMap((item) => Object.values(item))
      .find(({ status, error }) => status >= 300 && error !== undefined);
    if (!failed) return;
    throw this.unavailable(`refuses to write: ${failed.status} ${failed.error?.type ?? ''}`);
  }

  /** Has all that was written to an index found from then on; of an index that is not there, nothing. */
  async refresh(index: string): Promise<void> {
    await this.request({ method: 'POST', path: `/${index}/_refresh`, expected: [404] });
  }

  /**
   * Removes what a query finds of a knowledge base; of an index that is not there, nothing.
   *
   * @param mayContinue whether there may be another request
   */
  async removeWhere(
    index: string,
    kbId: string,
    query: object,
    mayContinue: MayContinue = () => Promise.resolve(true),
  ): Promise<void> {
    for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE && (await mayContinue());) {
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

  async hasAlias(alias: string, timeoutMs?: number): Promise<boolean> {
    const { status } = await this.request({
      method: 'GET',
      path: `/_alias/${alias}`,
      ...(timeoutMs !== undefined && { timeoutMs }),
      expected: [404],
    });
    return status !== 404;
  }

  /** Makes the index behind an alias, which may be there, or made by another process at the same time. */
  async makeIndex(alias: string, definition: object): Promise<void> {
    const body = { aliases: { [alias]: {} }, ...definition };
    await this.request({ method: 'PUT', path: toIndexName(alias), body, expected: [400] });
  }

  /** Ignores one that is not there. */
  async removeIndex(alias: string): Promise<void> {
    await this.request({ method: 'DELETE', path: toIndexName(alias), expected: [404] });
  }

  private async verify(): Promise<void> {
    const { version } = await this.send({ method: 'GET', path: '/', timeoutMs: VERIFY_TIMEOUT_MS });
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
      const status = readStatus(error);
      if (status !== undefined && expected.includes(status)) return { status };
      if (status === 400) throw refusal(`${method} ${path}: ${readErrorType(error)}`);
      if (status !== undefined)
        throw this.unavailable(`answers ${status} (${readErrorType(error)})`);
      const reason = findReason(error);
      throw reason === SILENT ? this.silent() : this.unavailable(`does not answer: ${reason}`);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  private silent(): SilentError {
    this.verified = undefined;
    return new SilentError(`The search engine at ${this.name} does not answer: ${SILENT}`);
  }

  /** What answers is looked at again with the next request: it may be another server. */
  unavailable(what: string): SearchUnavailableError {
    this.verified = undefined;
    return new SearchUnavailableError(`The search engine at ${this.name} ${what}`);
  }
}

const toIndexName = (alias: string): string => `/${alias}-1`;

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
function readStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}

/** The kind of an error as OpenSearch names it, which has nothing of what was sent. */
function readErrorType(error: unknown): string {
  const body = error instanceof Error && 'body' in error ? error.body : undefined;
  const found = (body as { error?: { type?: unknown } } | null | undefined)?.error?.type;
  return typeof found === 'string' && /^\w{1,80}$/.test(found) ? found : 'no reason given';
}

function findReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (/^(TimeoutError|RequestAbortedError)$/.test(error.name)) return SILENT;
  const code = /\bE[A-Z]{3,}\b|\b[A-Z]+_[A-Z_]+\b/.exec(error.message)?.[0];
  return code ?? error.name;
}
