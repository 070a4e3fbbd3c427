import { type Fingerprint, countFrequencies, hashWord } from './fingerprint.js';
import { foldLetters } from '@latchkey/text/fold-text';
import type { PostingList } from './posting-block.js';
import type { SearchDeadline } from './search-deadline.js';
import type { Term } from './term-selection.js';

const K1 = 1.2;
const B = 0.75;
/** Passages that are scored between two checks of the deadline. */
const PASSAGES_PER_CHECK = 256;

/** The sizes of an index that scores depend on. */
export interface IndexSize {
  readonly passages: number;
  /** Words of all passages together. */
  readonly tokens: number;
}

/** A passage with the score of the terms that were scanned. */
export interface Candidate {
  readonly number: number;
  readonly score: number;
  readonly tokens: number;
}

/** Inverse document frequency: above 0 also for a term that every passage has. */
export const inverseFrequency = (frequency: number, passages: number): number =>
  Math.log(1 + (Math.max(0, passages - frequency) + 0.5) / (frequency + 0.5));

/** The part of a BM25 score that depends on how often a passage of `tokens` words has a term. */
const saturation = (frequency: number, tokens: number, average: number): number =>
  (frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * tokens) / average));

/**
 * Scores all passages that have any of the terms, passage by passage in the order of their numbers.
 *
 * @param lists the postings of each term
 * @param isAllowed which passages may be found
 * @returns the best `limit`, best first
 * @throws SearchInterruptedError when the deadline has passed
 */
export async function scanPostings(
  terms: readonly Term[],
  lists: readonly PostingList[],
  size: IndexSize,
  { limit, isAllowed, deadline }: ScanOptions,
): Promise<Candidate[]> {
  const average = size.tokens / Math.max(1, size.passages);
  const weights = terms.map(({ weight, times }) => weight * times);
  const positions = new Uint32Array(lists.length);
  /** The number of each list's next passage. */
  const heads = Float64Array.from(lists, ({ numbers }) => numbers[0] ?? Infinity);
  const best = new BestCandidates(limit);
  let number = Math.min(...heads);
  for (let scored = 1; number < Infinity; scored++) {
    let score = 0;
    let tokens = 0;
    let nextNumber = Infinity;
    for (let index = 0; index < heads.length; index++) {
      let head = heads[index] ?? Infinity;
      const list = lists[index];
      if (head === number && list) {
        const position = positions[index] ?? 0;
        const next = position + 1;
        tokens = list.tokens[position] ?? 0;
        score +=
          (weights[index] ?? 0) * saturation(list.frequencies[position] ?? 0, tokens, average);
        positions[index] = next;
        // Reading behind the end of a typed array is slow.
        head = next < list.numbers.length ? (list.numbers[next] ?? Infinity) : Infinity;
        heads[index] = head;
      }
      if (head < nextNumber) nextNumber = head;
    }
    if (best.admits(score) && (!isAllowed || isAllowed(number)))
      best.add({ number, score, tokens });
    if (scored % PASSAGES_PER_CHECK === 0) {
      deadline.check();
      await deadline.yield();
    }
    number = nextNumber;
  }
  return best.sorted();
}

interface ScanOptions {
  readonly limit: number;
  readonly isAllowed?: ((number: number) => boolean) | undefined;
  readonly deadline: SearchDeadline;
}

/** Creates a function that computes the score of terms that were not scanned, for a passage of `tokens` words. */
export function createScorer(
  terms: readonly Term[],
  size: IndexSize,
): (fingerprint: Fingerprint, tokens: number) => number {
  const average = size.tokens / Math.max(1, size.passages);
  const hashes = terms.map(({ stem }) => hashWord(foldLetters(stem)));
  return (fingerprint, tokens) => {
    const frequencies = countFrequencies(fingerprint, hashes);
    return terms.reduce((sum, { weight, times }, index) => {
      const frequency = frequencies[index] ?? 0;
      return frequency > 0 ? sum + weight * times * saturation(frequency, tokens, average) : sum;
    }, 0);
  };
}

/** Better: a higher score; of equal scores, the lower number. */
export const byScore = (
  one: { readonly number: number; readonly score: number },
  other: { readonly number: number; readonly score: number },
): number => other.score - one.score || one.number - other.number;

/** The best candidates of a scan: a binary heap with the worst of them on top. */
class BestCandidates {
  private readonly heap: Candidate[] = [];

  constructor(private readonly limit: number) {}

  /** Candidates come in the order of their numbers, so one of an equal score is not better. */
  admits(score: number): boolean {
    return this.heap.length < this.limit || score > (this.heap[0]?.score ?? 0);
  }

  add(candidate: Candidate): void {
    if (this.heap.length < this.limit) {
      this.heap.push(candidate);
      if (this.heap.length === this.limit) this.heap.sort((one, other) => byScore(other, one));
      return;
    }
    this.replaceWorst(candidate);
  }

  sorted(): Candidate[] {
    return this.heap.sort(byScore);
  }

  private replaceWorst(candidate: Candidate): void {
    const { heap } = this;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const [one, other] = [heap[left], heap[left + 1]];
      if (!one) break;
      const isOther = other !== undefined && byScore(other, one) > 0;
      const worse = isOther ? other : one;
      if (byScore(worse, candidate) <= 0) break;
      heap[at] = worse;
      at = isOther ? left + 1 : left;
    }
    heap[at] = candidate;
  }
}
