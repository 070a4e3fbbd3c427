import type { Client } from '@opensearch-project/opensearch';
import { SearchInterruptedError } from '@latchkey/ranking/search-deadline';
import type { ClusterAddress } from './cluster-address.js';
import { SearchUnavailableError } from '../../documents/search/engine/search-unavailable-error.js';
import type { MayContinue } from '../../platform/jobs/job-lock.js';

/** The supported versions of OpenSearch. */
const VERSIONS = /^[23]\./;
/** The time limit of writes and state checks. */
const WRITE_TIMEOUT_MS = 20_000;
/** The time limit of checking the server's identity. */
const VERIFY_TIMEOUT_MS = 2000;
/** After a question timed out, others fail at once for this long. */
const PAUSE_MS = 3000;
/** The time limit of the check whether the cluster is silent or a query was too heavy. */
const SILENCE_MS = 500;
/** The time that a write waits for an unavailable shard, while other writes wait for it. */
const SHARD_TIMEOUT = '5s';
const SILENT = 'it was silent for too long';

export interface ClusterRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** The lines of `_bulk` and similar requests. */
  readonly lines?: readonly object[];
  readonly timeoutMs?: number;
  /** Error statuses that are valid answers; the status is then returned instead of the body. */
  readonly expected?: readonly number[];
  readonly signal?: AbortSignal | undefined;
}

/** The number of documents that one request removes. */
const REMOVED_AT_ONCE = 1000;

interface BulkItem {
  readonly status: number;
  readonly error?: { readonly type?: string };
}

class SilentError extends SearchUnavailableError {}

type Json = Readonly<Record<string, unknown>>;

/** Sends requests to an OpenSearch cluster. Its errors contain neither credentials nor request bodies. */
export class OpenSearchCluster {
  private client: Promise<Client> | undefined;
  private verified: Promise<void> | undefined;

  /**
   * @param pausedUntil the time, by `now`, until which questions are refused; 0 for no pause. Threads
   *   may share it
   */
  constructor(
    private readonly config: ClusterAddress,
    private readonly pausedUntil: Float64Array,
  ) {}

  /** The hosts of its nodes, for messages to operators. */
  get name(): string {
    return this.config.nodes.map((node) => new URL(node).host).join(', ');
  }

  async close(): Promise<void> {
    await (await this.client)?.close();
  }

  /**
   * @returns the body, or `{"status": …}` of an expected error
   * @throws SearchUnavailableError, or an Error for an invalid request
   */
  async request(request: ClusterRequest): Promise<Json> {
    const { timeoutMs = WRITE_TIMEOUT_MS, signal } = request;
    const endsAt = performance.now() + timeoutMs;
    try {
      await this.waitUntilVerified(timeoutMs, signal);
      return await this.send({ ...request, timeoutMs: Math.max(1, endsAt - performance.now()) });
    } catch (error) {
      // A different server may answer next time.
      this.verified = undefined;
      throw error;
    }
  }

  /**
   * Waits for the check of the server, which another request may have started, within the caller's own
   * time limit.
   */
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
   * Sends a search. After a timeout of a silent cluster, further searches fail at once for a while;
   * then one of them tries again.
   *
   * @throws as `request` does
   * @throws SearchInterruptedError if the query was too heavy: the cluster answers others in time
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
      // Queries a single passage of the same shard, which may hang even if the cluster answers.
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
   * @param lines the lines of the `_bulk` request
   * @param refresh whether the change is visible to searches when this returns
   * @throws SearchUnavailableError if the engine did not complete the write; it can be repeated
   */
  async write(lines: readonly object[], refresh: boolean): Promise<void> {
    const { items } = await this.request({
      method: 'POST',
      path: '/_bulk',
      // Prevents OpenSearch from creating a missing index by itself.
      query: { require_alias: 'true', refresh: String(refresh), timeout: SHARD_TIMEOUT },
      lines,
    });
    if (!Array.isArray(items)) throw this.unavailable('does not answer like OpenSearch');
    const failed = (items as Record<string, BulkItem>[])
      .flatMap((item) => Object.values(item))
      .find(({ status, error }) => status >= 300 && error !== undefined);
    if (!failed) return;
    throw this.unavailable(`refuses to write: ${failed.status} ${failed.error?.type ?? ''}`);
  }

  /** Makes all writes to an index visible to searches; does nothing if there is no such index. */
  async refresh(index: string): Promise<void> {
    await this.request({ method: 'POST', path: `/${index}/_refresh`, expected: [404] });
  }

  /**
   * Removes the passages of a knowledge base that a query matches; does nothing if there is no such
   * index.
   *
   * @param mayContinue called before each request
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

  /**
   * Creates the index behind an alias, unless it exists; another process may create it at the same
   * time.
   */
  async makeIndex(alias: string, definition: object): Promise<void> {
    const body = { aliases: { [alias]: {} }, ...definition };
    await this.request({ method: 'PUT', path: toIndexName(alias), body, expected: [400] });
  }

  /** Removes an index; ignores a missing one. */
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
    // The client's own timeout starts again with each attempt; this one limits all of them.
    const abort = () => {
      sent.abort();
    };
    const timer = setTimeout(abort, timeoutMs);
    signal?.addEventListener('abort', abort);
    try {
      const answer = await sent;
      const parsed: unknown = answer.body;
      if (typeof parsed !== 'object' || parsed === null) {
        throw this.unavailable('does not answer like OpenSearch');
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

  /** The next request checks the server again, since it may be a different one. */
  unavailable(what: string): SearchUnavailableError {
    this.verified = undefined;
    return new SearchUnavailableError(`The search engine at ${this.name} ${what}`);
  }
}

const toIndexName = (alias: string): string => `/${alias}-1`;

/** Milliseconds by a monotonic clock that all threads share. */
const now = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** Omits the cause, which contains the credentials. */
const refusal = (what: string): Error => new Error(`OpenSearch rejected ${what}`);

/** Loads the package only if a cluster is configured. */
async function connect({ nodes, auth }: ClusterAddress): Promise<Client> {
  const { Client: OpenSearchClient } = await import('@opensearch-project/opensearch');
  return new OpenSearchClient({
    nodes: [...nodes],
    ...(auth && { auth }),
    // Tries each node once; a single node twice, since it may have closed an idle connection.
    maxRetries: Math.max(1, nodes.length - 1),
  });
}

/** Returns the status of the answer; undefined if there was none. */
function readStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}

/** Returns OpenSearch's type of an error, which contains nothing of the request. */
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
