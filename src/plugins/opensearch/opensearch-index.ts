import type { AnalysedPassage } from '@latchkey/ranking/analyse-passage';
import type { ScoredTerm } from '@latchkey/ranking/index-reader';
import type { PostingList } from '@latchkey/ranking/posting-block';
import { type SearchDeadline, SearchInterruptedError } from '@latchkey/ranking/search-deadline';
import { amongNumbers } from './among-numbers.js';
import type { EnginePlace } from '../../documents/search/engine/engine-place.js';
import type {
  EngineIn,
  KnowledgeBaseEngine,
  SearchEngine,
} from '../../documents/search/engine/search-engine.js';
import { aliasIn } from './engine-moves.js';
import type { MayContinue } from '../../platform/jobs/job-lock.js';
import type { OpenSearchCluster } from './opensearch-cluster.js';
import { type EngineHit, EngineSearch } from './engine-search.js';
import { OpenSearchVectors } from './opensearch-vectors.js';
import { createFrequencyReader, writeFrequencies } from './term-frequencies.js';

/** The alias that requests use. */
const ALIAS = 'latchkey-passages';
/** The number of shards of the shared index; an own index has one. */
const SHARDS = 3;
/** The number of passages that one request writes or removes: a megabyte or two. */
const BATCH = 200;
/** The number of stems that one request counts. */
const STEMS = 500;
const MAX_UINT16 = 0xffff;

/**
 * The score depends only on the question and the passage, never on statistics of the shard, which other
 * knowledge bases would change. It assumes an average length for all passages, since it only proposes
 * candidates.
 */
const SCORE = `double norm = 1.2 * (0.25 + 0.75 * doc.length / 150.0);
  return query.boost * doc.freq * 2.2 / (doc.freq + norm);`;

const buildDefinition = (shards: number) => ({
  settings: {
    number_of_shards: shards,
    // A replica is created once there is a second node.
    auto_expand_replicas: '0-1',
    // The limit for lists of allowed passages, where access rules hide others.
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
});

/**
 * The postings of passages in OpenSearch. Knowledge bases share an index. Each is on one shard, and its
 * stems are prefixed by its id, so that its postings are its own. A large one may have its own index.
 */
export class OpenSearchIndex implements SearchEngine {
  readonly vectors: OpenSearchVectors;

  constructor(private readonly cluster: OpenSearchCluster) {
    this.vectors = new OpenSearchVectors(cluster);
  }

  close(): Promise<void> {
    return this.cluster.close();
  }

  /**
   * Writes passages, replacing existing ones.
   *
   * @param refresh whether the passages are visible when this returns, which takes the longest;
   *   otherwise they are visible after `refresh`
   */
  async put(
    kbId: string,
    passages: readonly AnalysedPassage[],
    places: readonly EnginePlace[],
    refresh = true,
  ): Promise<void> {
    for (const alias of places.map((place) => toAlias(kbId, place))) {
      for (let start = 0; start < passages.length; start += BATCH) {
        await this.write(
          alias,
          passages.slice(start, start + BATCH).flatMap((passage) => [
            { index: toAddress(alias, kbId, passage.number) },
            {
              kb: kbId,
              number: passage.number,
              tokens: Math.min(passage.tokens, MAX_UINT16),
              frequencies: writeFrequencies(passage.terms, passage.frequencies),
              stems: joinStems(kbId, passage),
            },
          ]),
          refresh,
        );
      }
    }
  }

  async refresh(kbId: string, places: readonly EnginePlace[]): Promise<void> {
    for (const place of places) await this.cluster.refresh(toAlias(kbId, place));
  }

  /** Removes passages; ignores missing ones. */
  async remove(
    kbId: string,
    numbers: readonly number[],
    places: readonly EnginePlace[],
  ): Promise<void> {
    for (let start = 0; start < numbers.length; start += BATCH) {
      const some = numbers.slice(start, start + BATCH);
      if (places.includes('shared')) {
        await this.write(
          ALIAS,
          some.map((number) => ({ delete: toAddress(ALIAS, kbId, number) })),
          false,
        );
      }
      if (places.includes('own')) {
        const alias = toAlias(kbId, 'own');
        // Passages just copied there can be found, and so removed, only after a refresh.
        await this.cluster.refresh(alias);
        await this.cluster.removeWhere(alias, kbId, { terms: { number: some } });
      }
      await this.vectors.remove(kbId, some, places);
    }
  }

  /**
   * Removes all of a knowledge base from a place.
   *
   * @param mayContinue called during the removal; if it returns false, the rest stays
   */
  async leave(kbId: string, place: EnginePlace, mayContinue?: MayContinue): Promise<void> {
    await this.vectors.leave(kbId, place, mayContinue);
    if (place === 'shared') {
      await this.cluster.removeWhere(ALIAS, kbId, { term: { kb: kbId } }, mayContinue);
    } else {
      await this.cluster.removeIndex(toAlias(kbId, 'own'));
    }
  }

  /** @throws SearchUnavailableError if new vectors could not be stored there */
  async requireVectors(kbId: string, places: readonly EnginePlace[]): Promise<void> {
    await this.prepare();
    if (places.includes('own')) await this.vectors.requireOwn(kbId);
  }

  /**
   * Creates the own indexes of a knowledge base if they are missing. Nothing else creates the one for
   * vectors.
   *
   * @throws SearchUnavailableError also if the cluster has reached its limit of indexes
   */
  async prepareOwn(kbId: string): Promise<void> {
    await this.prepareOwnWords(kbId);
    await this.vectors.prepareOwn(kbId);
  }

  async prepareOwnWords(kbId: string): Promise<void> {
    const alias = toAlias(kbId, 'own');
    await this.prepareAlias(alias);
    if (!(await this.cluster.hasAlias(alias))) {
      throw this.cluster.unavailable(`refuses to make ${alias}`);
    }
  }

  /** Whether the shared index contains anything of a knowledge base. */
  async isShared(kbId: string): Promise<boolean> {
    const { count } = await this.cluster.request({
      method: 'POST',
      path: `/${ALIAS},${this.vectors.shared}/_count`,
      query: { routing: kbId, ignore_unavailable: 'true' },
      body: { query: { term: { kb: kbId } } },
    });
    return Number(count) > 0;
  }

  /** Creates the shared index if it is missing. */
  prepare(timeoutMs?: number): Promise<void> {
    return this.prepareAlias(ALIAS, timeoutMs);
  }

  private async prepareAlias(alias: string, timeoutMs?: number): Promise<void> {
    if (await this.cluster.hasAlias(alias, timeoutMs)) return;
    await this.cluster.makeIndex(alias, buildDefinition(alias === ALIAS ? SHARDS : 1));
  }

  /**
   * `up` means that every shard and its replica work; `degraded`, that some are missing or writes are
   * blocked.
   */
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

  /** Creates a reader of a knowledge base for one search, until its deadline. */
  createReader(kbId: string, deadline: SearchDeadline, signal?: AbortSignal): EngineIn {
    const search = new EngineSearch(this.cluster, kbId, deadline, signal);
    return (place) => this.createEngine(search, kbId, place);
  }

  private createEngine(
    search: EngineSearch,
    kbId: string,
    place: EnginePlace,
  ): KnowledgeBaseEngine {
    const alias = toAlias(kbId, place);
    return {
      best: async (terms, limit, allowed) => {
        const body = {
          size: limit,
          sort: [{ _score: 'desc' }, { number: 'asc' }],
          query: {
            bool: {
              should: terms.map(({ stem, weight, times }) => ({
                term: { stems: { value: toTerm(kbId, stem), boost: weight * times } },
              })),
              minimum_should_match: 1,
              filter: amongNumbers(allowed),
            },
          },
        };
        // The database has counted each term, so some passage must contain it.
        return toPostings(terms, await search.hits(alias, body, !allowed));
      },
      frequencies: async (stems, allowed) => {
        const counts = new Map<string, number>();
        for (let start = 0; start < stems.length; start += STEMS) {
          const some = stems.slice(start, start + STEMS);
          const answer = await search.send(alias, {
            size: 0,
            query: { bool: { filter: amongNumbers(allowed) } },
            aggs: {
              stems: {
                filters: {
                  filters: some.map((stem) => ({ term: { stems: toTerm(kbId, stem) } })),
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
          await search.requireSome(alias, { term: { kb: kbId } });
        }
        return counts;
      },
      nearest: (model, vector, limit, allowed) =>
        this.vectors.nearest(search, place, model, vector, limit, allowed),
    };
  }

  private async write(alias: string, lines: readonly object[], refresh: boolean): Promise<void> {
    if (alias === ALIAS) await this.prepare();
    await this.cluster.write(lines, refresh);
  }
}

const toAlias = (kbId: string, place: EnginePlace): string => aliasIn(place, ALIAS, kbId);

const toAddress = (alias: string, kbId: string, number: number) => ({
  _index: alias,
  _id: `${kbId}-${number}`,
  routing: kbId,
});

const toTerm = (kbId: string, stem: string): string => `${kbId}|${stem}`;

/** Repeats each stem as often as it occurs in the passage. */
const joinStems = (kbId: string, { terms, frequencies }: AnalysedPassage): string =>
  terms
    .map((stem, index) => `${toTerm(kbId, stem)} `.repeat(frequencies[index] ?? 0))
    .join('')
    .trimEnd();

/** Converts hits to postings. */
function toPostings(terms: readonly ScoredTerm[], hits: readonly EngineHit[]): PostingList[] {
  const read = createFrequencyReader(terms.map(({ stem }) => stem));
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
