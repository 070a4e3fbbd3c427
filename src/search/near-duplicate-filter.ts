import { type Fingerprint, wordsOfText } from './fingerprint.js';
import type { Hit } from './rank.js';
import type { SearchDeadline } from './search-deadline.js';

/** Of all runs of three words in either of two texts, the part that they share when alike. */
const ALIKE = 0.9;
/** In shorter texts a single different word makes another passage. */
const LONG_TEXT = 20;

/** The runs of three words of a text; none of a short one, which is compared as a whole only. */
type Shingles = ReadonlySet<number>;

/** Leaves out near duplicates among the hits of one question, which may be chosen from repeatedly. */
export class NearDuplicateFilter {
  private readonly known = new Map<number, Shingles>();

  constructor(private readonly deadline: SearchDeadline) {}

  /**
   * The first `limit` hits, without those whose text is, nearly, that of one before. After the
   * deadline only equal texts are left out.
   */
  async choose(hits: readonly Hit[], limit: number): Promise<Hit[]> {
    const chosen: Hit[] = [];
    const texts: Shingles[] = [];
    const wholes = new Set<number>();
    for (const hit of hits) {
      if (chosen.length === limit) break;
      const { fingerprint } = hit;
      if (fingerprint) {
        if (wholes.has(fingerprint.text)) continue;
        wholes.add(fingerprint.text);
        if (!this.deadline.isOver) {
          await this.deadline.yield();
          const text = this.shinglesOf(hit.number, fingerprint);
          if (texts.some((other) => areAlike(text, other))) continue;
          texts.push(text);
        }
      }
      chosen.push(hit);
    }
    return chosen;
  }

  private shinglesOf(number: number, fingerprint: Fingerprint): Shingles {
    const known = this.known.get(number);
    if (known) return known;
    const shingles = shingle(wordsOfText(fingerprint));
    this.known.set(number, shingles);
    return shingles;
  }
}

function shingle(words: Uint16Array): Shingles {
  const shingles = new Set<number>();
  if (words.length < LONG_TEXT) return shingles;
  for (let end = 2; end < words.length; end++) {
    // Three numbers of 16 bits make one that a double holds exactly.
    shingles.add(
      (words[end - 2] ?? 0) * 2 ** 32 + (words[end - 1] ?? 0) * 2 ** 16 + (words[end] ?? 0),
    );
  }
  return shingles;
}

function areAlike(one: Shingles, other: Shingles): boolean {
  const [fewer, more] = one.size < other.size ? [one, other] : [other, one];
  // What both share, of all that either has, is at least ALIKE when so many of the fewer are shared.
  const needed = (ALIKE * (fewer.size + more.size)) / (1 + ALIKE);
  let possible = fewer.size;
  if (possible === 0 || possible < needed) return false;
  for (const run of fewer) {
    if (!more.has(run) && --possible < needed) return false;
  }
  return true;
}
