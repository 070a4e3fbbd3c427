import { type SearchDeadline, SearchInterruptedError } from '@latchkey/ranking/search-deadline';
import type { OpenSearchCluster } from './opensearch-cluster.js';
import { PostingsMissingError } from '../../documents/search/engine/search-unavailable-error.js';

/** The share of the remaining time after which the engine returns what it has found. */
const TIME_SHARE = 0.8;

export interface EngineHit {
  readonly _source: {
    readonly number: number;
    readonly tokens: number;
    readonly frequencies: string;
  };
  readonly fields: { readonly number: readonly [number] };
}

/** Queries OpenSearch about one knowledge base until the deadline of the search. */
export class EngineSearch {
  constructor(
    private readonly cluster: OpenSearchCluster,
    readonly kbId: string,
    private readonly deadline: SearchDeadline,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /**
   * @param expected an error status for which undefined is returned
   * @throws SearchUnavailableError also if the knowledge base's shard is unavailable
   */
  async send(alias: string, body: object, expected?: number) {
    const { cluster, deadline, signal, kbId } = this;
    deadline.check();
    const timeout = `${Math.max(1, Math.floor(deadline.remainingMs * TIME_SHARE))}ms`;
    const answer = await cluster.ask({
      method: 'POST',
      path: `/${alias}/_search`,
      // Also returns partial results at the timeout.
      query: { routing: kbId, allow_partial_search_results: 'true' },
      body: { ...body, timeout },
      timeoutMs: deadline.remainingMs,
      signal,
      expected: [404, ...(expected === undefined ? [] : [expected])],
    });
    if (answer['status'] === 404) throw this.missing();
    if (expected !== undefined && answer['status'] === expected) return undefined;
    // An unavailable shard must not be mistaken for one without passages.
    const { failed } = (answer['_shards'] ?? {}) as { failed?: number };
    if (failed !== 0) throw cluster.unavailable('lacks a shard');
    return answer;
  }

  /**
   * Returns the hits of a request.
   *
   * @param mustFind whether a result without hits means that the engine has lost data
   * @param expected an error status that means the same
   */
  async hits(
    alias: string,
    body: object,
    mustFind: boolean,
    expected?: number,
  ): Promise<readonly EngineHit[]> {
    const answer = await this.send(alias, { ...body, track_total_hits: false }, expected);
    if (!answer) throw this.missing();
    const { hits } = (answer['hits'] ?? {}) as { hits?: readonly EngineHit[] };
    if (!hits) throw this.cluster.unavailable('does not answer like OpenSearch');
    if (answer['timed_out'] === true) {
      if (hits.length === 0) throw new SearchInterruptedError();
      this.deadline.wasCutShort = true;
    }
    if (hits.length > 0 || !mustFind) return hits;
    throw this.missing();
  }

  private missing(): PostingsMissingError {
    const what = `lacks passages of ${this.kbId}: npm run search:move -- --to opensearch`;
    return new PostingsMissingError(this.cluster.unavailable(what).message);
  }

  /** @throws SearchUnavailableError if nothing is found, which means that data was lost */
  async requireSome(alias: string, query: object): Promise<void> {
    await this.hits(alias, { size: 1, _source: false, query }, true);
  }
}
