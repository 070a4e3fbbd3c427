/** What of a passage is compared: `key` is equal for equal ones, `words` has hashes of some of its words. */
export interface ComparedPassage {
  readonly key: string;
  readonly words: ReadonlySet<number>;
}

/** A passage of one version, by its position, beside one of the other; each at most once. */
export type AlignedPair = readonly [before: number | undefined, after: number | undefined];

/** How many unmatched passages behind the last one a passage is compared with. */
const LOOKED_AHEAD = 8;
/** The share of their words that two passages have in common if one was made from the other. */
const ALIKE = 0.3;

/**
 * Aligns the passages of two versions, in document order: equal ones, then those that have many words in common
 * between them. The time grows with n log n, however the passages repeat.
 */
export function alignPassages(
  before: readonly ComparedPassage[],
  after: readonly ComparedPassage[],
): AlignedPair[] {
  const pairs: AlignedPair[] = [];
  let [left, right] = [0, 0];
  const end: [number, number] = [before.length, after.length];
  for (const [one, other] of [...findEqual(before, after), end]) {
    pairs.push(...alignGap(before, after, [left, one], [right, other]));
    if (one < before.length) pairs.push([one, other]);
    [left, right] = [one + 1, other + 1];
  }
  return pairs;
}

/** Finds many equal passages that are in the same order in both. */
function findEqual(
  before: readonly ComparedPassage[],
  after: readonly ComparedPassage[],
): [number, number][] {
  // The nth passage of a text is compared with the nth of the same text.
  const places = new Map<string, number>();
  const counted = (passages: readonly ComparedPassage[]) => {
    const counts = new Map<string, number>();
    return passages.map(({ key }) => {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return `${key} ${count}`;
    });
  };
  for (const [place, key] of counted(before).entries()) places.set(key, place);
  const equal = counted(after).flatMap((key, other): [number, number][] => {
    const one = places.get(key);
    return one === undefined ? [] : [[one, other]];
  });
  return longestRising(equal);
}

/** The longest part of pairs, sorted by the second, that also rises in the first. */
function longestRising(pairs: readonly [number, number][]): [number, number][] {
  /** The index of the pair with the lowest end, by the length of what rises to it. */
  const ends: number[] = [];
  const earlier: (number | undefined)[] = [];
  for (const [index, [one]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[0] ?? 0) < one) low = middle + 1;
      else high = middle;
    }
    earlier.push(low > 0 ? ends[low - 1] : undefined);
    ends[low] = index;
  }
  const rising: [number, number][] = [];
  for (let index = ends.at(-1); index !== undefined; index = earlier[index]) {
    const pair = pairs[index];
    if (pair) rising.push(pair);
  }
  return rising.reverse();
}

/** Aligns what lies between equal passages. */
function alignGap(
  before: readonly ComparedPassage[],
  after: readonly ComparedPassage[],
  [left, leftEnd]: readonly [number, number],
  [right, rightEnd]: readonly [number, number],
): AlignedPair[] {
  const pairs: AlignedPair[] = [];
  let next = left;
  for (let other = right; other < rightEnd; other++) {
    let found: number | undefined;
    let most = ALIKE;
    for (let one = next; one < Math.min(leftEnd, next + LOOKED_AHEAD); one++) {
      const alike = likeness(before[one], after[other]);
      if (alike > most) [found, most] = [one, alike];
    }
    if (found === undefined) {
      pairs.push([undefined, other]);
      continue;
    }
    for (; next < found; next++) pairs.push([next, undefined]);
    pairs.push([next++, other]);
  }
  for (; next < leftEnd; next++) pairs.push([next, undefined]);
  return pairs;
}

function likeness(one: ComparedPassage | undefined, other: ComparedPassage | undefined): number {
  if (!one || !other) return 0;
  const common = [...one.words].filter((word) => other.words.has(word)).length;
  return common / Math.max(1, Math.min(one.words.size, other.words.size));
}
