/** Windows between two calls of `pause`, about a tenth of a millisecond. */
const SLICE = 4096;
const ABSENT = 0xffff;

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
    const words = codes.byteLength / 4 / windows;
    this.words ||= words;
    if (words !== this.words || this.passages.has(passage)) return;
    this.passages.add(passage);
    this.reserve(this.count + windows);
    // The bytes may begin anywhere, so they are copied.
    this.codes.set(new Int32Array(new Uint8Array(codes).buffer), this.count * words);
    this.numbers.fill(passage, this.count, this.count + windows);
    this.count += windows;
  }

  /**
   * The passages with the windows that are nearest to a code.
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
    const distances = new Uint16Array(count);
    const histogram = new Uint32Array(words * 32 + 1);
    for (let start = 0; start < count; start += SLICE) {
      await pause();
      const end = Math.min(count, start + SLICE);
      for (let window = start; window < end; window++) {
        if (isAllowed && !isAllowed(numbers[window] ?? 0)) {
          distances[window] = ABSENT;
          continue;
        }
        let distance = 0;
        for (let word = 0, at = window * words; word < words; word++, at++) {
          // The bits that are set in a word, counted in parallel.
          let bits = (codes[at] ?? 0) ^ (code[word] ?? 0);
          bits -= (bits >>> 1) & 0x55555555;
          bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
          distance += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
        }
        distances[window] = distance;
        histogram[distance] = (histogram[distance] ?? 0) + 1;
      }
    }
    let furthest = 0;
    for (let sum = 0; furthest < histogram.length; furthest++) {
      sum += histogram[furthest] ?? 0;
      if (sum >= limit) break;
    }
    const found = new Set<number>();
    for (let window = 0; window < count; window++) {
      if ((distances[window] ?? ABSENT) <= furthest) found.add(numbers[window] ?? 0);
    }
    return [...found];
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
