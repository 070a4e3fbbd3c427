import type { AnalysedPassage } from '@latchkey/ranking/analyse-passage';
import type { PostingEngine, ScoredTerm } from '@latchkey/ranking/index-reader';
import type { Numbers } from '@latchkey/ranking/number-values';
import type { PostingList } from '@latchkey/ranking/posting-block';
import { type SearchDeadline, SearchInterruptedError } from '@latchkey/ranking/search-deadline';
import { amongNumbers } from './among-numbers.js';
import type { OpenSearchCluster } from './opensearch-cluster.js';
import { type EngineHit, EngineSearch } from './engine-search.js';
import { OpenSearchVectors } from './opensearch-vectors.js';
import { frequencyReader, writeFrequencies } from './term-frequencies.js';

/** What requests go to. */
const ALIAS = 'latchkey-passages';
/** What stands behind it. */
const INDEX = `${ALIAS}-1`;
/** Passages that one request writes or removes: a megabyte or two. */
const BATCH = 200;
/** Stems that one request counts. */
const STEMS = 500;
const MAX_UINT16 = 0xffff;

/**
 * The engine scores by what the question and the passage have, never by statistics of its shard, which
 * other knowledge bases would change. It takes all passages for equally long on average: it only proposes
 * candidates.
 */
const SCORE = `double norm = 1.2 * (0.25 + 0.75 * doc.length / 150.0);
  return query.boost * doc.freq * 2.2 / (doc.freq + norm);`;

const DEFINITION = {
  aliases: { [ALIAS]: {} },
  settings: {
    number_of_shards: 3,
    // A copy as soon as there is a second node.
    auto_expand_replicas: '0-1',
    // Of the passages that somebody may read, where rules hide others.
    max_terms_count: 10_000_000,
    similarity: { of_question: { type: 'scripted', script: { source: SCORE } } },
    analysis: {
      tokenizer: { stems: { type: 'whitespace', max_token_length: 8000 } },
      analyzer: { stems: { type: 'custom', tokenizer: 'stems' } },
    },
  },
  mappings: {
    dynamic: 'strict',
    _routing: { required: true },
    _source: { excludes: ['stems'] },
    properties: {
      kb: { type: 'keyword' },
      number: { type: 'long' },
      tokens: { type: 'integer', index: false, doc_values: false },
      frequencies: { type: 'binary' },
      stems: {
        type: 'text',
        analyzer: 'stems',
        similarity: 'of_question',
        index_options: 'freqs',
      },
    },
  },
};

/** What a search engine has of a knowledge base. */
export interface KnowledgeBaseEngine extends PostingEngine {
  /** The passages with about the `limit` windows that are nearest to a vector, the nearest first. */
  nearest(
    model: string,
    vector: Float32Array,
    limit: number,
    allowed: Numbers | undefined,
  ): Promise<readonly number[]>;
}

/**
 * The postings of passages in OpenSearch. All knowledge bases share an index; each is on one shard, and
 * its stems begin with its id, so that its postings are its own.
 */
export class OpenSearchIndex {
  readonly vectors: OpenSearchVectors;

  constructor(private readonly cluster: OpenSearchCluster) {
    this.vectors = new OpenSearchVectors(cluster);
  }

  close(): Promise<void> {
    return this.cluster.close();
  }

  /**
   * Replaces those that are there.
   *
   * @param refresh whether they are found from then on, which takes the longest; else after `refresh`
   */
  async put(kbId: string, passages: readonly AnalysedPassage[], refresh = true): Promise<void> {
    for (let start = 0; start < passages.length; start += BATCH) {
      await this.write(
        passages.slice(start, start + BATCH).flatMap((passage) => [
          { index: address(kbId, passage.number) },
          {
            kb: kbId,
            number: passage.number,
            tokens: Math.min(passage.tokens, MAX_UINT16),
            frequencies: writeFrequencies(passage.terms, passage.frequencies),
            stems: stemsOf(kbId, passage),
          },
        ]),
        refresh,
      );
    }
  }

  refresh(): Promise<void> {
    return this.cluster.refresh(ALIAS);
  }

  /** Ignores those that are not there. */
  async remove(kbId: string, numbers: readonly number[]): Promise<void> {
    for (let start = 0; start < numbers.length; start += BATCH) {
      const some = numbers.slice(start, start + BATCH);
      await this.write(
        some.map((number) => ({ delete: address(kbId, number) })),
        false,
      );
      await this.vectors.remove(kbId, some);
    }
  }

  async drop(kbId: string): Promise<void> {
    await this.cluster.removeWhere(ALIAS, kbId, { term: { kb: kbId } });
    await this.vectors.remove(kbId);
  }

  /** Makes the index where there is none. */
  async prepare(timeoutMs?: number): Promise<void> {
    const { status } = await this.cluster.request({
      method: 'GET',
      path: `/_alias/${ALIAS}`,
      ...(timeoutMs !== undefined && { timeoutMs }),
      expected: [404],
    });
    if (status !== 404) return;
    // Another process may make it at the same time.
    await this.cluster.request({
      method: 'PUT',
      path: `/${INDEX}`,
      body: DEFINITION,
      expected: [400],
    });
  }

  /** Up: every shard and its copy; degraded: without some of them, or nothing can be written. */
  async state(timeoutMs: number): Promise<'up' | 'degraded' | 'down'> {
    const { status, active_primary_shards: primaries } = await this.cluster.request({
      method: 'GET',
      path: `/_cluster/health/${ALIAS}`,
      query: { timeout: '0s' },
      timeoutMs,
      expected: [408],
    });
    if (!Number(primaries)) return 'down';
    const settings = await this.cluster.request({
      method: 'GET',
      path: `/${ALIAS}/_settings/index.blocks.*`,
      query: { flat_settings: 'true' },
      timeoutMs,
    });
    const isBlocked = JSON.stringify(settings).includes('":"true"');
    return status === 'green' && !isBlocked ? 'up' : 'degraded';
  }

  /** Reads a knowledge base until the deadline of a search. */
  of(kbId: string, deadline: SearchDeadline, signal?: AbortSignal): KnowledgeBaseEngine {
    const search = new EngineSearch(this.cluster, kbId, deadline, signal);
    return {
      best: async (terms, limit, allowed) => {
        const body = {
          size: limit,
          sort: [{ _score: 'desc' }, { number: 'asc' }],
          query: {
            bool: {
              should: terms.map(({ stem, weight, times }) => ({
                term: { stems: { value: termOf(kbId, stem), boost: weight * times } },
              })),
              minimum_should_match: 1,
              filter: amongNumbers(allowed),
            },
          },
        };
        // Each term is in some passage of the database, where it is counted.
        return toPostings(terms, await search.hits(ALIAS, body, !allowed));
      },
      frequencies: async (stems, allowed) => {
        const counts = new Map<string, number>();
        for (let start = 0; start < stems.length; start += STEMS) {
          const some = stems.slice(start, start + STEMS);
          const answer = await search.send(ALIAS, {
            size: 0,
            query: { bool: { filter: amongNumbers(allowed) } },
            aggs: {
              stems: {
                filters: {
                  filters: some.map((stem) => ({ term: { stems: termOf(kbId, stem) } })),
                },
              },
            },
          });
          if (answer?.['timed_out'] === true) throw new SearchInterruptedError();
          const { stems: counted } = answer?.['aggregations'] as {
            stems: { buckets: readonly { doc_count: number }[] };
          };
          for (const [index, stem] of some.entries()) {
            counts.set(stem, counted.buckets[index]?.doc_count ?? 0);
          }
        }
        if (allowed.size > 0 && [...counts.values()].every((count) => count === 0)) {
          await search.requireSome(ALIAS, { term: { kb: kbId } });
        }
        return counts;
      },
      nearest: (model, vector, limit, allowed) =>
        this.vectors.nearest(search, model, vector, limit, allowed),
    };
  }

  private async write(lines: readonly object[], refresh: boolean): Promise<void> {
    await this.prepare();
    await this.cluster.write(lines, refresh);
  }
}

const address = (kbId: string, number: number) => ({
  _index: ALIAS,
  _id: `${kbId}-${number}`,
  routing: kbId,
});

const termOf = (kbId: string, stem: string): string => `${kbId}|${stem}`;

/** Each stem as often as the passage has it. */
const stemsOf = (kbId: string, { terms, frequencies }: AnalysedPassage): string =>
  terms
    .map((stem, index) => `${termOf(kbId, stem)} `.repeat(frequencies[index] ?? 0))
    .join('')
    .trimEnd();

/** The postings of those passages that were found. */
function toPostings(terms: readonly ScoredTerm[], hits: readonly EngineHit[]): PostingList[] {
  const read = frequencyReader(terms.map(({ stem }) => stem));
  const passages = hits
    .map(({ _source: { number, tokens, frequencies } }) => ({
      number,
      tokens,
      frequencies: read(frequencies),
    }))
    .sort((one, other) => one.number - other.number);
  return terms.map((_, index) => {
    const having = passages.filter(({ frequencies }) => (frequencies[index] ?? 0) > 0);
    return {
      numbers: Float64Array.from(having, ({ number }) => number),
      frequencies: Uint16Array.from(having, ({ frequencies }) => frequencies[index] ?? 0),
      tokens: Uint16Array.from(having, ({ tokens }) => tokens),
    };
  });
}
