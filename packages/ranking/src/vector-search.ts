import { blend } from '@latchkey/embeddings/vector';
import { compareWindows, type WindowSimilarity } from '@latchkey/embeddings/window-vectors';
import type { Fingerprint } from './fingerprint.js';
import type { IndexReader, WindowIndex } from './index-reader.js';
import type { Numbers } from './number-values.js';
import type { SearchDeadline } from './search-deadline.js';
import type { PassageWindow, SearchQuery } from './search-index.js';

/** A passage found by its vectors. */
interface NearestHit {
  readonly number: number;
  readonly fingerprint: Fingerprint | undefined;
}

/** How many of the nearest windows are compared by their vectors. */
const COMPARED_WINDOWS = 400;
/** How many of the nearest windows are checked against a filter before all matching passages are read. */
const ASKED_WINDOWS = 4000;
const LIMIT = 100;
/**
 * The weight of the sentence that asks beside the whole message. It is below 0.5, because the sentence may not
 * name its subject: "What am I to do with it?"
 */
const ASKED_SHARE = 0.4;
/** If a smaller share of the found passages still exists, the index has too many windows of deleted ones. */
const MIN_PRESENT = 0.5;

/** The last two of its similarities are to what is asked and to the whole. */
const toWindow = ({ start, end, similarities }: WindowSimilarity): PassageWindow => {
  const [toAsked = -1, toWhole = toAsked] = similarities.slice(-2);
  return { start, end, toAsked, toWhole };
};

/** Finds passages by the window of each that is nearest to the question. */
export class VectorSearch {
  private readonly vector: Float32Array | undefined;
  private windows: WindowIndex | undefined;
  /** Similarities of the nearest passages to the blend of both vectors, to `asked`, and to `whole`. */
  private readonly compared = new Map<number, readonly WindowSimilarity[]>();

  /** @param isScoped whether the reader hides passages */
  constructor(
    private readonly reader: IndexReader,
    private readonly query: SearchQuery,
    private readonly deadline: SearchDeadline,
    private readonly isScoped: boolean,
  ) {
    const { asked, whole } = query.embedding ?? {};
    this.vector = blend(asked, whole, ASKED_SHARE);
  }

  /** @returns the nearest first, of the documents that match the filter and the scope */
  async nearest(): Promise<readonly NearestHit[]> {
    const { reader, vector, query, deadline } = this;
    const { embedding } = query;
    if (!embedding || !vector) return [];
    const candidates = await this.findCandidates(embedding.model, vector, this.isScoped);
    await this.compare(candidates);
    if (this.compared.size < candidates.length * MIN_PRESENT) {
      reader.forgetWindows(embedding.model);
      await this.compare(await this.findCandidates(embedding.model, vector, true));
    }
    const nearest = await deadline.map([...this.compared], ([number, windows]) => ({
      number,
      similarity: Math.max(...windows.map(({ similarities: [similarity = -1] }) => similarity)),
    }));
    const best = nearest
      .sort((one, other) => other.similarity - one.similarity || one.number - other.number)
      .slice(0, LIMIT);
    const fingerprints = await reader.fingerprints(best.map(({ number }) => number));
    return best.map(({ number }) => ({ number, fingerprint: fingerprints.get(number) }));
  }

  /**
   * The passages with the nearest windows, of the documents that match the filter and the scope.
   *
   * @param isLimited whether to look among visible passages only
   */
  private async findCandidates(
    model: string,
    vector: Float32Array,
    isLimited: boolean,
  ): Promise<readonly number[]> {
    const { reader } = this;
    const { filter } = this.query;
    const windows = await reader.windowIndex(model);
    this.windows = windows;
    const nearest = (limit: number, allowed: Numbers | undefined) =>
      windows.nearest(vector, limit, allowed, () => this.pause());
    const known = filter && (await reader.knownMatching(filter));
    if (filter && !known) {
      const visible = isLimited ? await reader.matching(undefined) : undefined;
      const candidates = await nearest(ASKED_WINDOWS, visible);
      const matching = await reader.visible(candidates, filter);
      if (matching.size >= COMPARED_WINDOWS)
        return candidates.filter((number) => matching.has(number)).slice(0, COMPARED_WINDOWS);
    }
    const isAsked = isLimited || filter !== undefined;
    const allowed = known ?? (isAsked ? await reader.matching(filter) : undefined);
    return nearest(COMPARED_WINDOWS, allowed);
  }

  /** Finds the passages that are not embedded yet; none before `nearest` was called. */
  findMissing(hits: readonly { readonly number: number }[]) {
    return this.windows?.missing(hits.map(({ number }) => number)) ?? new Set<number>();
  }

  /** The windows of passages; those without vectors are missing. */
  async loadWindows(
    numbers: readonly number[],
  ): Promise<ReadonlyMap<number, readonly PassageWindow[]>> {
    await this.compare(numbers.filter((number) => !this.compared.has(number)));
    return new Map(
      numbers.flatMap((number) => {
        const windows = this.compared.get(number)?.map(toWindow);
        return windows ? [[number, windows] as const] : [];
      }),
    );
  }

  private async compare(numbers: readonly number[]): Promise<void> {
    const { embedding } = this.query;
    const { vector } = this;
    if (!embedding || !vector || numbers.length === 0) return;
    const { asked = vector, whole = asked } = embedding;
    const stored = await this.reader.windows(embedding.model, numbers);
    const compared = await this.deadline.map(
      [...stored],
      ([number, windows]) => [number, compareWindows(windows, [vector, asked, whole])] as const,
    );
    for (const [number, windows] of compared) this.compared.set(number, windows);
  }

  private async pause(): Promise<void> {
    this.deadline.check();
    await this.deadline.yield();
  }
}
