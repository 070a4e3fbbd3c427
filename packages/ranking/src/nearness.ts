import { type Fingerprint, hashWord } from './fingerprint.js';
import { foldLetters } from '@latchkey/text/fold-text';
import type { QuestionTerm } from './search-index.js';
import { WordNumbers } from './word-numbers.js';

/** Content words of a passage that count as near each other: a long sentence has about as many. */
const NEARBY_WORDS = 20;

/** A term of a question; one that the question repeats is looked for as often. */
export interface NearbyTerm extends Pick<QuestionTerm, 'stems' | 'weight'> {
  readonly times: number;
}

/** Finds the terms of a question in passages. */
export class Nearness {
  private readonly numbers = new WordNumbers();
  /** By the number of its word. */
  private readonly termByWord = [-1];

  constructor(private readonly terms: readonly NearbyTerm[]) {
    for (const [index, { stems }] of terms.entries()) {
      for (const stem of stems)
        this.termByWord[this.numbers.add(hashWord(foldLetters(stem)))] = index;
    }
  }

  /**
   * The highest sum of the weights of terms in any NEARBY_WORDS successive words of a passage. A term
   * counts as often as these words have it, but not more often than the question.
   */
  weigh({ words }: Fingerprint): number {
    const { numbers, termByWord, terms } = this;
    const counts = new Uint16Array(terms.length);
    /** The positions of terms in the passage, and which terms; those from `start` on are in the window. */
    const places: number[] = [];
    const found: number[] = [];
    let start = 0;
    let weight = 0;
    let best = 0;
    const add = (index: number, change: 1 | -1) => {
      const term = terms[index];
      const before = counts[index] ?? 0;
      counts[index] = before + change;
      if (term && Math.min(before, before + change) < term.times) weight += change * term.weight;
    };
    for (let at = 0; at < words.length; at++) {
      const number = numbers.byHash[words[at] ?? 0] ?? 0;
      if (number === 0) continue;
      const index = termByWord[number] ?? 0;
      places.push(at);
      found.push(index);
      for (; at - (places[start] ?? 0) >= NEARBY_WORDS; start++) add(found[start] ?? 0, -1);
      add(index, 1);
      if (weight > best) best = weight;
    }
    return best;
  }
}
