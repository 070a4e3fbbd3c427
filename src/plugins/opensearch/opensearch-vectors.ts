import { createHash } from 'node:crypto';
import { readStoredBytes, toBytes } from '@latchkey/embeddings/window-vectors';
import type { Numbers } from '@latchkey/ranking/number-values';
import { amongNumbers } from './among-numbers.js';
import type { EnginePlace } from '../../documents/search/engine/engine-place.js';
import type { PassageBytes } from '../../documents/search/engine/search-engine.js';
import { aliasIn } from './engine-moves.js';
import type { EngineSearch } from './engine-search.js';
import type { MayContinue } from '../../platform/jobs/job-lock.js';
import type { OpenSearchCluster } from './opensearch-cluster.js';

/** The alias that requests use. */
const ALIAS = 'latchkey-vectors';
/** The number of shards of the shared index; an own index has one. */
const SHARDS = 3;
/** The number of windows that one request writes: a megabyte or two. */
const BATCH = 200;

const toFieldName = (dimension: number): string => `v${dimension}`;

/** Builds the field for vectors of a dimension, which depends on the model. */
const buildProperties = (dimension: number) => ({
  [toFieldName(dimension)]: {
    type: 'knn_vector',
    dimension,
    data_type: 'byte',
    // This engine searches only among the allowed passages, and exhaustively if they are few.
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
    // The database has the source.
    _source: { enabled: false },
    properties: {
      kb: { type: 'keyword' },
      model: { type: 'keyword' },
      number: { type: 'long' },
    },
  },
});

const toAlias = (kbId: string, place: EnginePlace): string => aliasIn(place, ALIAS, kbId);

/** The vectors of windows in OpenSearch, used to propose passages. */
export class OpenSearchVectors {
  readonly shared = ALIAS;
  /** Kept until the process ends, since plugins are rarely installed. */
  private isUnable = false;

  constructor(private readonly cluster: OpenSearchCluster) {}

  /**
   * Writes vectors of a model, replacing existing ones. They are visible to searches when this returns.
   *
   * @returns false if the cluster has no plugin for vectors
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
   * Removes vectors; ignores missing ones.
   *
   * @param keptModel the model whose vectors are kept
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
   * Creates the own index of a knowledge base if it is missing and the plugin is installed.
   *
   * @throws SearchUnavailableError also if the cluster has reached its limit of indexes
   */
  async prepareOwn(kbId: string): Promise<void> {
    await this.cluster.makeIndex(toAlias(kbId, 'own'), buildDefinition(1));
    await this.requireOwn(kbId);
  }

  /** @throws SearchUnavailableError if the own index is missing although the plugin is installed */
  async requireOwn(kbId: string): Promise<void> {
    const alias = toAlias(kbId, 'own');
    if ((await this.cluster.hasAlias(alias)) || !(await this.isAble())) return;
    throw this.cluster.unavailable(`lacks ${alias}`);
  }

  /** Finds about the `limit` nearest windows, and returns the numbers of their passages, nearest first. */
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
    // Status 400 means that the index was recreated and has no field for this dimension.
    const hits = await search.hits(alias, body, !allowed, 400);
    if (hits.length === 0 && allowed && allowed.size > 0) {
      await search.requireSome(alias, { bool: { filter: ofModel } });
    }
    return [...new Set(hits.map(({ fields }) => fields.number[0]))];
  }

  /** Whether the cluster has the plugin, as far as it reports it. */
  async isAble(timeoutMs?: number): Promise<boolean> {
    const { status } = await this.cluster.request({
      method: 'GET',
      path: '/_plugins/_knn/stats',
      ...(timeoutMs !== undefined && { timeoutMs }),
      expected: [400, 403, 404],
    });
    return status === undefined || status === 403;
  }

  /** Creates the index if it is missing, and the field for vectors of this dimension. */
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
