import type { PostingList } from '@latchkey/ranking/posting-block';

/** With twelve bytes each: eighteen megabytes of a thread. */
const MAX_POSTINGS = 1_500_000;

interface Entry {
  readonly list: PostingList;
  /** Numbers below it are as in the index. */
  validBefore: number;
}

/** Reads the postings of stems from given numbers on, and maybe some before them. */
type Read = (stems: readonly string[], from: readonly number[]) => Promise<PostingList[]>;

/**
 * The postings of the stems that were asked for last. Who sees a part of the passages needs them of each
 * word of a question, to count those of this part; who sees all need not read those of common words.
 */
export class PostingCache {
  /** The least recently used first. */
  private readonly entries = new Map<string, Entry>();
  private postings = 0;

  constructor(private readonly maxPostings = MAX_POSTINGS) {}

  /** @param isCurrent whether the index has not changed since it was called, as far as is known */
  async get(
    kbId: string,
    stems: readonly string[],
    read: Read,
    isCurrent: () => boolean,
  ): Promise<PostingList[]> {
    const entries = stems.map((stem) => this.entries.get(keyOf(kbId, stem)));
    const from = entries.map((entry) => entry?.validBefore ?? 0);
    const missing = stems.filter((_, index) => (from[index] ?? 0) < Infinity);
    const numbers = from.filter((number) => number < Infinity);
    const lists = missing.length > 0 ? await read(missing, numbers) : [];
    const rest = lists[Symbol.iterator]();
    return stems.map((stem, index) => {
      const [known, number = 0] = [entries[index]?.list, from[index]];
      const list =
        number < Infinity ? joined(known, rest.next().value ?? NO_POSTINGS, number) : known;
      if (!list) return NO_POSTINGS;
      if (isCurrent()) this.put(keyOf(kbId, stem), list);
      return list;
    });
  }

  /** Postings of a knowledge base have changed, of this number and maybe of higher ones. */
  changed(kbId: string, number: number): void {
    for (const [key, entry] of this.entries) {
      if (key.startsWith(keyOf(kbId, ''))) entry.validBefore = Math.min(entry.validBefore, number);
    }
  }

  private put(key: string, list: PostingList): void {
    this.remove(key);
    this.entries.set(key, { list, validBefore: Infinity });
    this.postings += list.numbers.length;
    for (const oldest of this.entries.keys()) {
      if (this.postings <= this.maxPostings) return;
      this.remove(oldest);
    }
  }

  private remove(key: string): void {
    this.postings -= this.entries.get(key)?.list.numbers.length ?? 0;
    this.entries.delete(key);
  }
}

const NO_POSTINGS: PostingList = {
  numbers: new Float64Array(),
  frequencies: new Uint16Array(),
  tokens: new Uint16Array(),
};

const keyOf = (kbId: string, stem: string) => `${kbId} ${stem}`;

/** @param from the postings of `rest` take the place of those from this number on */
function joined(known: PostingList | undefined, rest: PostingList, from: number): PostingList {
  if (!known) return rest;
  const first = Math.min(from, rest.numbers[0] ?? Infinity);
  const kept = lengthBefore(known.numbers, first);
  const length = kept + rest.numbers.length;
  const list = {
    numbers: new Float64Array(length),
    frequencies: new Uint16Array(length),
    tokens: new Uint16Array(length),
  };
  for (const column of ['numbers', 'frequencies', 'tokens'] as const) {
    list[column].set(known[column].subarray(0, kept));
    list[column].set(rest[column], kept);
  }
  return list;
}

/** How many of the numbers, in their order, are lower. */
function lengthBefore(numbers: Float64Array, number: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? Infinity) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
