import { createHash } from 'node:crypto';
import { storedBytes, toBytes } from '@latchkey/embeddings/window-vectors';
import type { Numbers } from '@latchkey/ranking/number-values';
import { amongNumbers } from './among-numbers.js';
import type { EngineSearch } from './engine-search.js';
import type { OpenSearchCluster } from './opensearch-cluster.js';

/** What requests go to. */
const ALIAS = 'latchkey-vectors';
/** What stands behind it. */
const INDEX = `${ALIAS}-1`;
/** Passages that one request writes: a megabyte or two. */
const BATCH = 200;

const fieldOf = (dimension: number): string => `v${dimension}`;

/** Of vectors with so many numbers: those of models differ. */
const properties = (dimension: number) => ({
  [fieldOf(dimension)]: {
    type: 'knn_vector',
    dimension,
    data_type: 'byte',
    // The engine that looks among allowed passages only, and among all of these where they are few.
    method: { name: 'hnsw', engine: 'lucene', space_type: 'cosinesimil' },
  },
});

const definition = (dimension: number) => ({
  aliases: { [ALIAS]: {} },
  settings: {
    'index.knn': true,
    number_of_shards: 3,
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
      ...properties(dimension),
    },
  },
});

/** The vectors of a passage as they are stored: see window-vectors. */
export interface PassageBytes {
  readonly number: number;
  readonly windows: number;
  readonly vectors: Uint8Array;
}

/** The vectors of windows in OpenSearch, by which it proposes passages. */
export class OpenSearchVectors {
  /** Until the process ends: nobody installs a plugin often. */
  private isUnable = false;

  constructor(private readonly cluster: OpenSearchCluster) {}

  /**
   * Replaces those of the model that are there. They are found from then on.
   *
   * @returns false where the cluster has no plugin for vectors
   */
  async put(kbId: string, model: string, passages: readonly PassageBytes[]): Promise<boolean> {
    const windows = passages.flatMap(({ number, windows: count, vectors }) =>
      storedBytes(vectors, count).map((bytes, window) => ({ number, window, bytes })),
    );
    const [first] = windows;
    const prefix = `${kbId}-${createHash('sha256').update(model).digest('base64url').slice(0, 16)}`;
    if (first && !(await this.prepare(first.bytes.length))) return false;
    for (let start = 0; start < windows.length; start += BATCH) {
      await this.cluster.write(
        windows
          .slice(start, start + BATCH)
          .flatMap(({ number, window, bytes }) => [
            { index: { _index: ALIAS, _id: `${prefix}-${number}-${window}`, routing: kbId } },
            { kb: kbId, model, number, [fieldOf(bytes.length)]: [...bytes] },
          ]),
        true,
      );
    }
    return !this.isUnable;
  }

  /** Ignores those that are not there; all of the knowledge base where no numbers are given. */
  remove(kbId: string, numbers?: readonly number[]): Promise<void> {
    const filter = [{ term: { kb: kbId } }, ...(numbers ? [{ terms: { number: numbers } }] : [])];
    return this.cluster.removeWhere(ALIAS, kbId, { bool: { filter } });
  }

  /** Those of other models, which somebody may still have written. */
  removeOthers(kbId: string, model: string, numbers: readonly number[]): Promise<void> {
    const filter = [{ term: { kb: kbId } }, { terms: { number: numbers } }];
    const query = { bool: { filter, must_not: [{ term: { model } }] } };
    return this.cluster.removeWhere(ALIAS, kbId, query);
  }

  /** About the `limit` windows that are nearest: the numbers of their passages, the nearest first. */
  async nearest(
    search: EngineSearch,
    model: string,
    vector: Float32Array,
    limit: number,
    allowed: Numbers | undefined,
  ): Promise<number[]> {
    const ofModel = [{ term: { kb: search.kbId } }, { term: { model } }];
    const filter = [...ofModel, ...amongNumbers(allowed)];
    const near = { vector: [...toBytes(vector).values], k: limit, filter: { bool: { filter } } };
    const body = {
      size: limit,
      _source: false,
      docvalue_fields: ['number'],
      query: { knn: { [fieldOf(vector.length)]: near } },
    };
    // 400: it was made anew, and has none with so many numbers.
    const hits = await search.hits(ALIAS, body, !allowed, 400);
    if (hits.length === 0 && allowed && allowed.size > 0) {
      await search.requireSome(ALIAS, { bool: { filter: ofModel } });
    }
    return [...new Set(hits.map(({ fields }) => fields.number[0]))];
  }

  /** Whether the cluster has the plugin, as far as it tells. */
  async isAble(timeoutMs: number): Promise<boolean> {
    const { status } = await this.cluster.request({
      method: 'GET',
      path: '/_plugins/_knn/stats',
      timeoutMs,
      expected: [400, 403, 404],
    });
    return status === undefined || status === 403;
  }

  /** Makes the index where there is none, and the field for vectors with so many numbers. */
  private async prepare(dimension: number): Promise<boolean> {
    if (this.isUnable) return false;
    const isThere = async () => {
      const { status } = await this.cluster.request({
        method: 'PUT',
        path: `/${ALIAS}/_mapping`,
        body: { properties: properties(dimension) },
        expected: [400, 404],
      });
      return status === undefined;
    };
    if (await isThere()) return true;
    // Another process may make it at the same time.
    await this.cluster.request({
      method: 'PUT',
      path: `/${INDEX}`,
      body: definition(dimension),
      expected: [400],
    });
    this.isUnable = !(await isThere());
    return !this.isUnable;
  }
}
