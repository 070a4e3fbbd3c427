import type { CodeIndex } from '@latchkey/embeddings/code-index';
import { blend } from '@latchkey/embeddings/vector';
import { codeOf, compareWindows, type WindowSimilarity } from '@latchkey/embeddings/window-vectors';
import { MATCHED_FIRST } from './bounds.js';
import type { Fingerprint } from './fingerprint.js';
import type { IndexReader } from './index-reader.js';
import type { Numbers } from './number-values.js';
import type { SearchDeadline } from './search-deadline.js';
import type { PassageWindow, SearchQuery } from './search-index.js';

/** A passage found by its vectors. */
interface NearestHit {
  readonly number: number;
  readonly fingerprint: Fingerprint | undefined;
}

/** How many windows with the most similar codes are compared by their vectors. */
const COMPARED_WINDOWS = 400;
/** The same of those that are asked whether they match a filter, before all matching ones are read. */
const ASKED_WINDOWS = 4000;
const LIMIT = 100;
/**
 * How much the sentence that asks counts beside the whole message: less than a half, because it may not
 * say what it is about, as “What am I to do with it?”.
 */
const ASKED_SHARE = 0.4;
/** If fewer of the passages that the codes led to are there, too many codes are of deleted ones. */
const MIN_PRESENT = 0.5;

/** The last two of its similarities are to what is asked and to the whole. */
const toWindow = ({ start, end, similarities }: WindowSimilarity): PassageWindow => {
  const [toAsked = -1, toWhole = toAsked] = similarities.slice(-2);
  return { start, end, toAsked, toWhole };
};

/** Finds passages by the window of each that is nearest to the question. */
export class VectorSearch {
  private readonly vector: Float32Array | undefined;
  private codes: CodeIndex | undefined;
  /** Of the nearest passages: to the blend of both vectors, to what is asked, and to the whole. */
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
    const code = codeOf(vector);
    const candidates = await this.candidates(embedding.model, code);
    await this.compare(candidates);
    if (this.compared.size < candidates.length * MIN_PRESENT) {
      reader.forgetCodes(embedding.model);
      await this.compare(await this.candidates(embedding.model, code));
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

  /** The passages with the most similar codes, of the documents that match the filter and the scope. */
  private async candidates(model: string, code: Int32Array): Promise<readonly number[]> {
    const { reader } = this;
    const { filter } = this.query;
    const codes = await reader.codes(model);
    this.codes = codes;
    const nearest = (limit: number, allowed: Numbers | undefined) =>
      codes.nearest(code, limit, allowed && ((number) => allowed.has(number)), () => this.pause());
    if (filter && !(await reader.hasFewerDocuments(MATCHED_FIRST))) {
      const visible = this.isScoped ? await reader.matching(undefined) : undefined;
      const candidates = await nearest(ASKED_WINDOWS, visible);
      const matching = await reader.visible(candidates, filter);
      if (matching.size >= COMPARED_WINDOWS)
        return candidates.filter((number) => matching.has(number)).slice(0, COMPARED_WINDOWS);
    }
    const isLimited = this.isScoped || filter !== undefined;
    return nearest(COMPARED_WINDOWS, isLimited ? await reader.matching(filter) : undefined);
  }

  /** Whether a passage is still to be embedded. Of none it is known before `nearest`. */
  isMissing(number: number): boolean {
    return this.codes !== undefined && !this.codes.has(number);
  }

  /** The windows of passages; those without vectors are missing. */
  async windowsOf(
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

  /** The same of the sentences of passages. */
  async sentencesOf(
    numbers: readonly number[],
  ): Promise<ReadonlyMap<number, readonly PassageWindow[]>> {
    const { asked, whole = asked, model = '' } = this.query.embedding ?? {};
    if (!whole || !this.query.withSentences) return new Map();
    const stored = await this.reader.sentences(model, numbers);
    const compared = await this.deadline.map([...stored], ([number, sentences]) => {
      const windows = compareWindows(sentences, [asked ?? whole, whole]);
      return [number, windows.map(toWindow)] as const;
    });
    return new Map(compared);
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
