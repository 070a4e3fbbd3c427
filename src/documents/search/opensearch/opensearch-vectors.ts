import { createHash } from 'node:crypto';
import { readStoredBytes, toBytes } from '@latchkey/embeddings/window-vectors';
import type { Numbers } from '@latchkey/ranking/number-values';
import { amongNumbers } from './among-numbers.js';
import { aliasIn, type EnginePlace } from './engine-place.js';
import type { EngineSearch } from './engine-search.js';
import type { MayContinue } from '../../../platform/jobs/job-lock.js';
import type { OpenSearchCluster } from './opensearch-cluster.js';

/** What requests go to. */
const ALIAS = 'latchkey-vectors';
/** Shards of the index that knowledge bases share; another one has one. */
const SHARDS = 3;
/** Passages that one request writes: a megabyte or two. */
const BATCH = 200;

const toFieldName = (dimension: number): string => `v${dimension}`;

/** Of vectors with so many numbers: those of models differ. */
const buildProperties = (dimension: number) => ({
  [toFieldName(dimension)]: {
    type: 'knn_vector',
    dimension,
    data_type: 'byte',
    // The engine that looks among allowed passages only, and among all of these where they are few.
    method: { name: 'hnsw', engine: 'lucene', space_type: 'cosinesimil' },
  },
});

const buildDefinition = (shards: number) => ({
  settings: {
    'index.knn': true,
    number_of_shards: shards,
    auto_expand_replicas: '0-1',
    max_terms_count: 10_000_000,
  },
  mappings: {
    dynamic: 'strict',
    _routing: { required: true },
    // The database has them.
    _source: { enabled: false },
    properties: {
      kb: { type: 'keyword' },
      model: { type: 'keyword' },
      number: { type: 'long' },
    },
  },
});

const toAlias = (kbId: string, place: EnginePlace): string => aliasIn(place, ALIAS, kbId);

/** The vectors of a passage as they are stored: see window-vectors. */
export interface PassageBytes {
  readonly number: number;
  readonly windows: number;
  readonly vectors: Uint8Array;
}

/** The vectors of windows in OpenSearch, by which it proposes passages. */
export class OpenSearchVectors {
  readonly shared = ALIAS;
  /** Until the process ends: nobody installs a plugin often. */
  private isUnable = false;

  constructor(private readonly cluster: OpenSearchCluster) {}

  /**
   * Replaces those of the model that are there. They are found from then on.
   *
   * @returns false where the cluster has no plugin for vectors
   */
  async put(
    kbId: string,
    model: string,
    passages: readonly PassageBytes[],
    places: readonly EnginePlace[],
  ): Promise<boolean> {
    const windows = passages.flatMap(({ number, windows: count, vectors }) =>
      readStoredBytes(vectors, count).map((bytes, window) => ({ number, window, bytes })),
    );
    const [first] = windows;
    const prefix = `${kbId}-${createHash('sha256').update(model).digest('base64url').slice(0, 16)}`;
    if (first && !(await this.prepare(first.bytes.length))) return false;
    const own = toAlias(kbId, 'own');
    if (first && places.includes('own') && !(await this.prepareField(own, first.bytes.length))) {
      throw this.cluster.unavailable(`lacks ${own}`);
    }
    for (const alias of places.map((place) => toAlias(kbId, place))) {
      for (let start = 0; start < windows.length; start += BATCH) {
        await this.cluster.write(
          windows
            .slice(start, start + BATCH)
            .flatMap(({ number, window, bytes }) => [
              { index: { _index: alias, _id: `${prefix}-${number}-${window}`, routing: kbId } },
              { kb: kbId, model, number, [toFieldName(bytes.length)]: [...bytes] },
            ]),
          true,
        );
      }
    }
    return !this.isUnable;
  }

  /**
   * Ignores those that are not there.
   *
   * @param keptModel whose vectors stay
   */
  async remove(
    kbId: string,
    numbers: readonly number[],
    places: readonly EnginePlace[],
    keptModel?: string,
  ): Promise<void> {
    const filter = [{ term: { kb: kbId } }, { terms: { number: numbers } }];
    const must_not = keptModel === undefined ? [] : [{ term: { model: keptModel } }];
    for (const place of places) {
      await this.cluster.removeWhere(toAlias(kbId, place), kbId, { bool: { filter, must_not } });
    }
  }

  /** Removes all of a knowledge base from a place. */
  async leave(kbId: string, place: EnginePlace, mayContinue?: MayContinue): Promise<void> {
    const alias = toAlias(kbId, place);
    if (place === 'own') await this.cluster.removeIndex(alias);
    else await this.cluster.removeWhere(alias, kbId, { term: { kb: kbId } }, mayContinue);
  }

  /**
   * Makes the index of one knowledge base where there is none; not without the plugin.
   *
   * @throws SearchUnavailableError also where the cluster has as many as it may have
   */
  async prepareOwn(kbId: string): Promise<void> {
    await this.cluster.makeIndex(toAlias(kbId, 'own'), buildDefinition(1));
    await this.requireOwn(kbId);
  }

  /** @throws SearchUnavailableError where the index of one knowledge base is away, and could be there */
  async requireOwn(kbId: string): Promise<void> {
    const alias = toAlias(kbId, 'own');
    if ((await this.cluster.hasAlias(alias)) || !(await this.isAble())) return;
    throw this.cluster.unavailable(`lacks ${alias}`);
  }

  /** About the `limit` windows that are nearest: the numbers of their passages, the nearest first. */
  async nearest(
    search: EngineSearch,
    place: EnginePlace,
    model: string,
    vector: Float32Array,
    limit: number,
    allowed: Numbers | undefined,
  ): Promise<number[]> {
    const alias = toAlias(search.kbId, place);
    const ofModel = [{ term: { kb: search.kbId } }, { term: { model } }];
    const filter = [...ofModel, ...amongNumbers(allowed)];
    const near = { vector: [...toBytes(vector).values], k: limit, filter: { bool: { filter } } };
    const body = {
      size: limit,
      _source: false,
      docvalue_fields: ['number'],
      query: { knn: { [toFieldName(vector.length)]: near } },
    };
    // 400: it was made anew, and has none with so many numbers.
    const hits = await search.hits(alias, body, !allowed, 400);
    if (hits.length === 0 && allowed && allowed.size > 0) {
      await search.requireSome(alias, { bool: { filter: ofModel } });
    }
    return [...new Set(hits.map(({ fields }) => fields.number[0]))];
  }

  /** Whether the cluster has the plugin, as far as it tells. */
  async isAble(timeoutMs?: number): Promise<boolean> {
    const { status } = await this.cluster.request({
      method: 'GET',
      path: '/_plugins/_knn/stats',
      ...(timeoutMs !== undefined && { timeoutMs }),
      expected: [400, 403, 404],
    });
    return status === undefined || status === 403;
  }

  /** Makes the index where there is none, and the field for vectors with so many numbers. */
  private async prepare(dimension: number): Promise<boolean> {
    if (this.isUnable) return false;
    if (await this.prepareField(ALIAS, dimension)) return true;
    await this.cluster.makeIndex(ALIAS, buildDefinition(SHARDS));
    this.isUnable = !(await this.prepareField(ALIAS, dimension));
    return !this.isUnable;
  }

  private async prepareField(alias: string, dimension: number): Promise<boolean> {
    const { status } = await this.cluster.request({
      method: 'PUT',
      path: `/${alias}/_mapping`,
      body: { properties: buildProperties(dimension) },
      expected: [400, 404],
    });
    return status === undefined;
  }
}
