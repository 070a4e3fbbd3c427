import { codesAtOnce, distancesTo } from './hamming.js';
import { codeOf } from './window-vectors.js';

/** Windows between two calls of `pause`, about a tenth of a millisecond. */
const SLICE = 4096;
const WORD_BITS = 32;
/** How many windows with the nearest codes, for each that is wanted, are compared with the vector itself. */
const COMPARED = 10;

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
   * The passages with the windows that are nearest to a vector, the nearest first: of those whose codes
   * differ least from that of the vector, the ones that have the signs of its large numbers.
   *
   * @param limit how many windows; of equally near ones all are taken
   * @param isAllowed which passages are considered
   * @param pause awaited between parts of the work
   */
  async nearest(
    vector: Float32Array,
    limit: number,
    isAllowed: ((passage: number) => boolean) | undefined,
    pause: () => Promise<void>,
  ): Promise<number[]> {
    const { count, words, codes, numbers } = this;
    const code = codeOf(vector);
    if (code.length !== words) return [];
    const places: number[] = [];
    const distancesOf: number[] = [];
    const histogram = new Uint32Array(words * WORD_BITS + 1);
    /** Windows that differ in more bits are not compared. */
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
        places.push(start + at);
        distancesOf.push(distance);
        histogram[distance] = (histogram[distance] ?? 0) + 1;
        found++;
      }
      while (found - (histogram[furthest] ?? 0) >= limit * COMPARED) {
        found -= histogram[furthest--] ?? 0;
      }
    }
    const near: number[] = [];
    for (let index = 0; index < places.length; index++) {
      if ((distancesOf[index] ?? 0) <= furthest) near.push(places[index] ?? 0);
    }
    const products = this.productsWith(vector, near);
    const least = products.toSorted()[Math.max(0, near.length - limit)] ?? 0;
    const nearest: { readonly passage: number; readonly product: number }[] = [];
    for (let index = 0; index < near.length; index++) {
      const product = products[index] ?? 0;
      if (product >= least) nearest.push({ passage: numbers[near[index] ?? 0] ?? 0, product });
    }
    nearest.sort((one, other) => other.product - one.product);
    return [...new Set(nearest.map(({ passage }) => passage))];
  }

  /** Sums of the numbers of a vector that windows have as positive ones: they order windows as products do. */
  private productsWith(vector: Float32Array, places: readonly number[]): Float32Array {
    const length = this.words * Int32Array.BYTES_PER_ELEMENT;
    const bytes = new Uint8Array(this.codes.buffer);
    // Of each byte of a code, by its value. What unset bits would take away orders them the same.
    const ofBytes = new Float32Array(length * 256);
    for (let at = 0; at < length; at++) {
      for (let byte = 1; byte < 256; byte++) {
        const bit = 31 - Math.clz32(byte);
        const rest = ofBytes[at * 256 + byte - (1 << bit)] ?? 0;
        ofBytes[at * 256 + byte] = rest + (vector[at * 8 + bit] ?? 0);
      }
    }
    const products = new Float32Array(places.length);
    for (let index = 0; index < places.length; index++) {
      const start = (places[index] ?? 0) * length;
      let sum = 0;
      for (let at = 0; at < length; at++) sum += ofBytes[at * 256 + (bytes[start + at] ?? 0)] ?? 0;
      products[index] = sum;
    }
    return products;
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
