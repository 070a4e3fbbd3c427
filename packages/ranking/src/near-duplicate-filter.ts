import { type Fingerprint, getTextWords } from './fingerprint.js';
import type { Hit } from './rank.js';
import type { SearchDeadline } from './search-deadline.js';

/** Texts with at least this Jaccard similarity of their shingles are near duplicates. */
const MIN_SIMILARITY = 0.9;
/** A text of fewer words is compared as a whole: one different word makes another passage of it. */
const MIN_WORDS = 20;

/** So many years of a document are compared to find the newest. */
const MAX_SIMILAR = 12;

/** Hashes of all runs of three words; empty for a text of fewer than MIN_WORDS words. */
type Shingles = ReadonlySet<number>;

/** Leaves out near duplicates among the hits of one search, which may choose repeatedly. */
export class NearDuplicateFilter {
  private readonly shingles = new Map<number, Shingles>();
  /** Those that were left out, by the number of the hit that they nearly equal. */
  private readonly leftOut = new Map<number, Hit[]>();

  constructor(private readonly deadline: SearchDeadline) {}

  /**
   * The first `limit` hits, without those whose text nearly equals that of an earlier one. After the
   * deadline only equal texts are left out.
   */
  async choose(hits: readonly Hit[], limit: number): Promise<Hit[]> {
    const chosen: Hit[] = [];
    const chosenTexts = new Set<number>();
    const chosenShingles: { readonly hit: Hit; readonly shingles: Shingles }[] = [];
    this.leftOut.clear();
    for (const hit of hits) {
      if (chosen.length === limit) break;
      const { fingerprint } = hit;
      if (fingerprint) {
        if (chosenTexts.has(fingerprint.text)) continue;
        chosenTexts.add(fingerprint.text);
        if (!this.deadline.isOver) {
          await this.deadline.yield();
          const shingles = this.getShingles(hit.number, fingerprint);
          const same = chosenShingles.find((other) => areSimilar(shingles, other.shingles));
          if (same) {
            this.noteLeftOut(same.hit, hit);
            continue;
          }
          chosenShingles.push({ hit, shingles });
        }
      }
      chosen.push(hit);
    }
    return chosen;
  }

  /** The best of those that were left out because they nearly equal a chosen one. */
  listSimilar({ number }: Hit): readonly Hit[] {
    return this.leftOut.get(number) ?? [];
  }

  private noteLeftOut({ number }: Hit, hit: Hit): void {
    const others = this.leftOut.get(number) ?? [];
    if (others.length < MAX_SIMILAR) others.push(hit);
    this.leftOut.set(number, others);
  }

  private getShingles(number: number, fingerprint: Fingerprint): Shingles {
    const shingles = this.shingles.get(number) ?? buildShingles(getTextWords(fingerprint));
    this.shingles.set(number, shingles);
    return shingles;
  }
}

function buildShingles(words: Uint16Array): Shingles {
  const shingles = new Set<number>();
  if (words.length < MIN_WORDS) return shingles;
  for (let end = 2; end < words.length; end++) {
    // Three hashes of 16 bits fit into the 53 bits that a number holds exactly.
    shingles.add(
      (words[end - 2] ?? 0) * 2 ** 32 + (words[end - 1] ?? 0) * 2 ** 16 + (words[end] ?? 0),
    );
  }
  return shingles;
}

/** Whether the Jaccard similarity is at least MIN_SIMILARITY; stops as soon as it cannot be. */
function areSimilar(one: Shingles, other: Shingles): boolean {
  const [smaller, larger] = one.size < other.size ? [one, other] : [other, one];
  // shared / (smaller + larger - shared) >= MIN_SIMILARITY, solved for shared.
  const needed = (MIN_SIMILARITY * (smaller.size + larger.size)) / (1 + MIN_SIMILARITY);
  let possible = smaller.size;
  if (possible === 0 || possible < needed) return false;
  for (const hash of smaller) {
    if (!larger.has(hash) && --possible < needed) return false;
  }
  return true;
}
