import { type Fingerprint, hashWord } from './fingerprint.js';
import { foldLetters } from './fold-text.js';
import type { QuestionTerm } from './search-index.js';

/** Content words of a passage that count as near each other: a long sentence has about as many. */
const NEARBY_WORDS = 20;

type TermsByHash = ReadonlyMap<number, QuestionTerm>;

/** The terms of a question by the hashes that fingerprints have of them. */
export const byHash = (terms: readonly QuestionTerm[]): TermsByHash =>
  new Map(
    terms.flatMap((term) => term.stems.map((stem) => [hashWord(foldLetters(stem)), term] as const)),
  );

/** The highest sum of the weights of different terms in any NEARBY_WORDS successive words of a passage. */
export function weightNearby({ words }: Fingerprint, terms: TermsByHash): number {
  if (terms.size === 0) return 0;
  const lastAt = new Map<QuestionTerm, number>();
  let best = 0;
  for (let at = 0; at < words.length; at++) {
    const term = terms.get(words[at] ?? 0);
    if (!term) continue;
    lastAt.set(term, at);
    let weight = 0;
    for (const [other, last] of lastAt) if (at - last < NEARBY_WORDS) weight += other.weight;
    if (weight > best) best = weight;
  }
  return best;
}
