import type { PostingList } from '@latchkey/ranking/posting-block';

/** At twelve bytes each, eighteen megabytes per thread. */
const MAX_POSTINGS = 1_500_000;

/** The growth factor of a copied list, to leave room for new postings. */
const GROWTH = 1.1;

interface Entry {
  readonly list: GrowingList;
  /** Postings below this number match the index. */
  validBefore: number;
}

/** A read in progress, which may miss changes noticed in the meantime. */
interface Reading {
  readonly kbId: string;
  validBefore: number;
}

/** Reads the postings of stems from the given numbers on, and possibly some before them. */
type Read = (stems: readonly string[], from: readonly number[]) => Promise<PostingList[]>;

/**
 * Caches the postings of recently used stems. A reader who sees only some passages needs the postings
 * of every word of a question, to count those passages; a reader who sees all does not need those of
 * common words.
 */
export class PostingCache {
  /** Least recently used first. */
  private readonly entries = new Map<string, Entry>();
  private readonly readings = new Set<Reading>();
  private postings = 0;

  constructor(private readonly maxPostings = MAX_POSTINGS) {}

  /** @param isCurrent returns whether the index is unchanged since the call, as far as the caller knows */
  async get(
    kbId: string,
    stems: readonly string[],
    read: Read,
    isCurrent: () => boolean,
  ): Promise<PostingList[]> {
    const entries = stems.map((stem) => this.entries.get(toKey(kbId, stem)));
    const from = entries.map((entry) => entry?.validBefore ?? 0);
    const missing = stems.filter((_, index) => (from[index] ?? 0) < Infinity);
    const numbers = from.filter((number) => number < Infinity);
    const reading: Reading = { kbId, validBefore: Infinity };
    this.readings.add(reading);
    let lists: PostingList[] = [];
    try {
      if (missing.length > 0) lists = await read(missing, numbers);
    } finally {
      this.readings.delete(reading);
    }
    const rest = lists[Symbol.iterator]();
    return stems.map((stem, index) => {
      const [known, number = 0] = [entries[index]?.list, from[index]];
      const read = number < Infinity ? (rest.next().value ?? NO_POSTINGS) : NO_POSTINGS;
      const list = known?.with(read, number) ?? new GrowingList(toColumns(read));
      if (isCurrent()) this.put(toKey(kbId, stem), list, reading.validBefore);
      return list.postings;
    });
  }

  /** Notes that postings of a knowledge base have changed from this number on. */
  invalidate(kbId: string, number: number): void {
    for (const [key, entry] of this.entries) {
      if (key.startsWith(toKey(kbId, ''))) entry.validBefore = Math.min(entry.validBefore, number);
    }
    for (const reading of this.readings) {
      if (reading.kbId === kbId) reading.validBefore = Math.min(reading.validBefore, number);
    }
  }

  private put(key: string, list: GrowingList, validBefore: number): void {
    this.remove(key);
    this.entries.set(key, { list, validBefore });
    this.postings += list.capacity;
    for (const oldest of this.entries.keys()) {
      if (this.postings <= this.maxPostings) return;
      this.remove(oldest);
    }
  }

  private remove(key: string): void {
    this.postings -= this.entries.get(key)?.list.capacity ?? 0;
    this.entries.delete(key);
  }
}

const NO_POSTINGS: PostingList = {
  numbers: new Float64Array(),
  frequencies: new Uint16Array(),
  tokens: new Uint16Array(),
};

const toKey = (kbId: string, stem: string) => `${kbId} ${stem}`;

/** Columns that several lists may share; each list uses a prefix of them. */
interface Columns extends PostingList {
  /** The length of the longest of these lists. */
  used: number;
}

const toColumns = (list: PostingList): Columns => ({ ...list, used: list.numbers.length });

/** Postings with room for more, since new passages are mostly appended. */
class GrowingList {
  constructor(
    private readonly columns: Columns,
    private readonly length = columns.used,
  ) {}

  /** The number of postings it has room for. */
  get capacity(): number {
    return this.columns.numbers.length;
  }

  get postings(): PostingList {
    return part(this.columns, this.length);
  }

  /** Replaces the postings from the number `from` on by those of `rest`. */
  with(rest: PostingList, from: number): GrowingList {
    const { columns } = this;
    const { numbers } = this.postings;
    const kept = countBefore(numbers, Math.min(from, rest.numbers[0] ?? Infinity));
    const length = kept + rest.numbers.length;
    const tail = numbers.subarray(kept);
    // Another search may be reading these columns, or may have appended to them.
    const isAppended =
      columns.used === this.length && tail.every((number, index) => number === rest.numbers[index]);
    if (isAppended && length <= this.capacity) {
      write(columns, rest, kept);
      columns.used = length;
      return new GrowingList(columns);
    }
    const capacity = Math.ceil(length * GROWTH);
    const copy = {
      numbers: new Float64Array(capacity),
      frequencies: new Uint16Array(capacity),
      tokens: new Uint16Array(capacity),
      used: length,
    };
    write(copy, part(columns, kept), 0);
    write(copy, rest, kept);
    return new GrowingList(copy);
  }
}

const part = ({ numbers, frequencies, tokens }: PostingList, length: number): PostingList => ({
  numbers: numbers.subarray(0, length),
  frequencies: frequencies.subarray(0, length),
  tokens: tokens.subarray(0, length),
});

function write(into: PostingList, list: PostingList, start: number): void {
  into.numbers.set(list.numbers, start);
  into.frequencies.set(list.frequencies, start);
  into.tokens.set(list.tokens, start);
}

/** Counts the numbers, in ascending order, that are lower. */
function countBefore(numbers: Float64Array, number: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? Infinity) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
