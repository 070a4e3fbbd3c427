import type { RerankConfig } from '../../platform/config/config.js';
import type { Metrics } from '../../platform/metrics/metrics.js';
import { EndpointFailures } from '../../platform/model-endpoints/endpoint-failures.js';
import { RerankClient } from '../../platform/model-endpoints/rerank-client.js';
import type { FoundPassage, SearchQuery, SearchResult } from '@latchkey/ranking/search-index';

/** The number of best passages that are reranked. */
const CANDIDATES = 50;
/** Longer questions and passages are cut. Most models read about 512 tokens. */
const MAX_LENGTH = 2000;

/**
 * Orders the passages of a search by relevance, using an endpoint. If it fails or is too slow, they
 * stay in the order of the search.
 */
export class Reranker {
  private readonly client: RerankClient;
  private readonly failures: EndpointFailures;

  constructor(
    private readonly config: RerankConfig,
    private readonly metrics: Metrics,
  ) {
    this.client = new RerankClient(config);
    this.failures = new EndpointFailures(
      Reranker.name,
      'No reranking; passages stay in search order',
      { ...config, variables: 'RERANK' },
    );
  }

  /** @returns how many passages it reranks; undefined while it is paused after a failure */
  candidatesFor(kbId: string): number | undefined {
    return this.failures.isPaused(kbId) ? undefined : CANDIDATES;
  }

  /**
   * @param found the passages to rerank, possibly more than the query asks for
   * @throws the reason of the query's signal when the client has disconnected
   */
  async rerank(query: SearchQuery, found: SearchResult): Promise<SearchResult> {
    const { passages, partial } = found;
    const limit = Math.max(query.limit, query.candidates ?? 0);
    const original = passages.slice(0, limit);
    // A partial result has used up the time limit of the search.
    if (partial || passages.length < 2) return { ...found, passages: original };
    const scores = await this.scores(query, passages);
    if (!scores) {
      this.metrics.rerankFallbacks.inc();
      return { ...found, passages: original };
    }
    const reranked = passages
      .map((passage, index) => ({ passage, relevance: scores[index] ?? -Infinity }))
      .sort((one, other) => other.relevance - one.relevance)
      // Scores keep their places, so that `min_score` has the same scale when reranking fails.
      .map(({ passage }, place) => ({
        ...passage,
        score: passages[place]?.score ?? passage.score,
      }));
    return { ...found, passages: reranked.slice(0, limit), original };
  }

  /** @returns undefined when the endpoint fails */
  private async scores(
    { kbId, question, signal }: SearchQuery,
    passages: readonly FoundPassage[],
  ): Promise<number[] | undefined> {
    // Paused per knowledge base: one whose texts overload the endpoint must not pause it for others.
    if (this.failures.isPaused(kbId)) return undefined;
    const timeout = AbortSignal.timeout(this.config.timeoutMs);
    const stopTimer = this.metrics.reranks.startTimer();
    try {
      const scores = await this.client.scores(
        cut(question),
        passages.map(toText),
        signal ? AbortSignal.any([signal, timeout]) : timeout,
      );
      stopTimer({ status: 'complete' });
      return scores;
    } catch (error) {
      stopTimer({ status: signal?.aborted ? 'aborted' : 'failed' });
      signal?.throwIfAborted();
      this.failures.warn(error);
      this.failures.pause(kbId);
      return undefined;
    }
  }
}

const toText = ({ documentTitle, heading, text }: FoundPassage): string =>
  cut([documentTitle, ...(heading === null ? [] : [heading]), text].join('\n'));

const cut = (text: string): string => text.slice(0, MAX_LENGTH).toWellFormed();
