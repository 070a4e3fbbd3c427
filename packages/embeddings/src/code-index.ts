import { codesAtOnce, distancesTo } from './hamming.js';

/** Windows between two calls of `pause`, about a tenth of a millisecond. */
const SLICE = 4096;
const WORD_BITS = 32;

/** The codes of all windows of a knowledge base, in memory, to find those that are near to another. */
export class CodeIndex {
  /** The number of the passage that each window is of. */
  private numbers = new Float64Array(64);
  private codes = new Int32Array(0);
  private readonly passages = new Set<number>();
  private count = 0;
  /** 32-bit words of a code; of one model all have as many. */
  private words = 0;

  get bytes(): number {
    return this.codes.byteLength + this.numbers.byteLength;
  }

  has(passage: number): boolean {
    return this.passages.has(passage);
  }

  /** @param codes of the windows of a passage that was not added before, one after the other */
  add(passage: number, codes: Uint8Array, windows: number): void {
    const stored = codes.byteLength / 4 / windows;
    // Some were stored with an odd number of words; one of zeros makes no distance.
    const words = stored + (stored % 2);
    this.words ||= words;
    if (words !== this.words || this.passages.has(passage)) return;
    this.passages.add(passage);
    this.reserve(this.count + windows);
    // The bytes may begin anywhere, so they are copied.
    const copied = new Int32Array(new Uint8Array(codes).buffer);
    for (let window = 0; window < windows; window++) {
      const code = copied.subarray(window * stored, (window + 1) * stored);
      this.codes.set(code, (this.count + window) * words);
    }
    this.numbers.fill(passage, this.count, this.count + windows);
    this.count += windows;
  }

  /**
   * The passages with the windows that are nearest to a code, the nearest first.
   *
   * @param limit how many windows; of equal distance all are taken
   * @param isAllowed which passages are considered
   * @param pause awaited between parts of the work
   */
  async nearest(
    code: Int32Array,
    limit: number,
    isAllowed: ((passage: number) => boolean) | undefined,
    pause: () => Promise<void>,
  ): Promise<number[]> {
    const { count, words, codes, numbers } = this;
    if (code.length !== words) return [];
    const near: { readonly passage: number; readonly distance: number }[] = [];
    const histogram = new Uint32Array(words * WORD_BITS + 1);
    /** Further windows are not among the nearest. */
    let furthest = words * WORD_BITS;
    /** How many windows were found that are not further. */
    let found = 0;
    let asked = -1;
    let isAsked = true;
    const slice = Math.min(SLICE, codesAtOnce(words));
    for (let start = 0; start < count; start += slice) {
      await pause();
      const end = Math.min(count, start + slice);
      const distances = distancesTo(code, codes.subarray(start * words, end * words));
      for (let at = 0; at < distances.length; at++) {
        const distance = distances[at] ?? 0;
        if (distance > furthest) continue;
        const passage = numbers[start + at] ?? 0;
        // The windows of a passage lie one behind the other.
        if (isAllowed && passage !== asked) [asked, isAsked] = [passage, isAllowed(passage)];
        if (!isAsked) continue;
        near.push({ passage, distance });
        histogram[distance] = (histogram[distance] ?? 0) + 1;
        found++;
      }
      while (found - (histogram[furthest] ?? 0) >= limit) found -= histogram[furthest--] ?? 0;
    }
    const nearest = near
      .filter(({ distance }) => distance <= furthest)
      .sort((one, other) => one.distance - other.distance);
    return [...new Set(nearest.map(({ passage }) => passage))];
  }

  private reserve(count: number): void {
    if (count * this.words > this.codes.length) {
      const codes = new Int32Array(Math.max(64, count * 1.5) * this.words);
      codes.set(this.codes);
      this.codes = codes;
    }
    if (count > this.numbers.length) {
      const numbers = new Float64Array(count * 1.5);
      numbers.set(this.numbers);
      this.numbers = numbers;
    }
  }
}
