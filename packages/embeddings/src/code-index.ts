import { getMaxCodes, findNearCodes } from './hamming.js';
import { encodeVector } from './window-vectors.js';

/** Windows between two calls of `pause`, about a tenth of a millisecond. */
const SLICE = 4096;
const WORD_BITS = 32;
/** The factor by which the memory grows when it is full. */
const GROWTH = 1.25;
/** The number of windows with the nearest signs that are compared by both bits, per wanted window. */
const COMPARED = 20;

/** The codes of all windows of a knowledge base in memory; finds those nearest to a vector. */
export class CodeIndex {
  /** The number of each window's passage. */
  private numbers = new Float64Array(64);
  /** The first bits of all codes, which are compared first, and the second bits. */
  private signs = new Int32Array(0);
  private rest = new Int32Array(0);
  private readonly passages = new Set<number>();
  private count = 0;
  /** 32-bit words per vector for the signs: the same for all vectors of a model, except in an older format. */
  private words = 0;

  get bytes(): number {
    return 2 * this.signs.byteLength + this.numbers.byteLength;
  }

  has(passage: number): boolean {
    return this.passages.has(passage);
  }

  /**
   * Codes that are shorter than others have an older format and are ignored, because they will be replaced.
   *
   * @param codes of the windows of a passage that was not added before, one after the other
   */
  add(passage: number, codes: Uint8Array, windows: number): void {
    const words = codes.byteLength / (2 * Int32Array.BYTES_PER_ELEMENT) / windows;
    if (words > this.words) this.beginWith(words);
    if (words !== this.words || this.passages.has(passage)) return;
    this.passages.add(passage);
    this.reserve(this.count + windows);
    // The bytes may begin anywhere, so they are copied.
    const copied = new Int32Array(new Uint8Array(codes).buffer);
    for (let window = 0; window < windows; window++) {
      const [start, middle, end] = [2 * window, 2 * window + 1, 2 * window + 2];
      const at = (this.count + window) * words;
      this.signs.set(copied.subarray(start * words, middle * words), at);
      this.rest.set(copied.subarray(middle * words, end * words), at);
    }
    this.numbers.fill(passage, this.count, this.count + windows);
    this.count += windows;
  }

  /**
   * Finds the passages with the nearest windows to a vector, the nearest first: among the windows whose signs
   * differ least from those of the vector, the ones whose codes have the largest products with it.
   *
   * @param limit the number of windows; if several are equally near, all are returned
   * @param isAllowed which passages are considered
   * @param pause awaited between parts of the work
   */
  async nearest(
    vector: Float32Array,
    limit: number,
    isAllowed: ((passage: number) => boolean) | undefined,
    pause: () => Promise<void>,
  ): Promise<number[]> {
    const { count, words, signs, numbers } = this;
    const code = encodeVector(vector);
    if (code.length !== 2 * words) return [];
    const ofVector = code.subarray(0, words);
    // A sign counts more where the vector has 3 or -3 than where it has 1 or -1.
    const large = ofVector.map((word, index) => ~(word ^ (code[words + index] ?? 0)));
    const most = words * WORD_BITS * 3;
    const places: number[] = [];
    const distancesOf: number[] = [];
    const histogram = new Uint32Array(most + 1);
    /** Windows that differ more are not compared. */
    let furthest = most;
    /** The number of found windows within that distance. */
    let found = 0;
    let asked = -1;
    let isAsked = true;
    const slice = Math.min(SLICE, getMaxCodes(words));
    for (let start = 0; start < count; start += slice) {
      await pause();
      const end = Math.min(count, start + slice);
      const part = signs.subarray(start * words, end * words);
      const nearer = findNearCodes(ofVector, large, part, furthest);
      for (let at = 0; at < nearer.length; at += 2) {
        const place = start + (nearer[at] ?? 0);
        const distance = nearer[at + 1] ?? 0;
        const passage = numbers[place] ?? 0;
        // The windows of a passage lie one behind the other.
        if (isAllowed && passage !== asked) [asked, isAsked] = [passage, isAllowed(passage)];
        if (!isAsked) continue;
        places.push(place);
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
    const products = this.computeProducts(vector, near);
    const least = products.toSorted()[Math.max(0, near.length - limit)] ?? 0;
    const nearest: { readonly passage: number; readonly product: number }[] = [];
    for (let index = 0; index < near.length; index++) {
      const product = products[index] ?? 0;
      if (product >= least) nearest.push({ passage: numbers[near[index] ?? 0] ?? 0, product });
    }
    nearest.sort((one, other) => other.product - one.product);
    return [...new Set(nearest.map(({ passage }) => passage))];
  }

  /** Computes numbers that sort windows like the products of their codes with a vector. */
  private computeProducts(vector: Float32Array, places: readonly number[]): Float32Array {
    const length = this.words * Int32Array.BYTES_PER_ELEMENT;
    const signs = new Uint8Array(this.signs.buffer);
    const rest = new Uint8Array(this.rest.buffer);
    // The sum of the numbers whose bits a byte of a code has, by its value.
    const ofBytes = new Float32Array(length * 256);
    for (let at = 0; at < length; at++) {
      for (let byte = 1; byte < 256; byte++) {
        const bit = 31 - Math.clz32(byte);
        const others = ofBytes[at * 256 + byte - (1 << bit)] ?? 0;
        ofBytes[at * 256 + byte] = others + (vector[at * 8 + bit] ?? 0);
      }
    }
    const products = new Float32Array(places.length);
    for (let index = 0; index < places.length; index++) {
      const start = (places[index] ?? 0) * length;
      let ofSigns = 0;
      let ofRest = 0;
      for (let at = 0; at < length; at++) {
        ofSigns += ofBytes[at * 256 + (signs[start + at] ?? 0)] ?? 0;
        ofRest += ofBytes[at * 256 + (rest[start + at] ?? 0)] ?? 0;
      }
      products[index] = 2 * ofSigns + ofRest;
    }
    return products;
  }

  private beginWith(words: number): void {
    this.words = words;
    this.count = 0;
    this.signs = new Int32Array(0);
    this.rest = new Int32Array(0);
    this.passages.clear();
  }

  private reserve(count: number): void {
    if (count * this.words > this.signs.length) {
      const length = Math.max(64, Math.ceil(count * GROWTH)) * this.words;
      this.signs = toLonger(this.signs, length);
      this.rest = toLonger(this.rest, length);
    }
    if (count > this.numbers.length) {
      const numbers = new Float64Array(Math.ceil(count * GROWTH));
      numbers.set(this.numbers);
      this.numbers = numbers;
    }
  }
}

function toLonger(words: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const copied = new Int32Array(length);
  copied.set(words);
  return copied;
}
