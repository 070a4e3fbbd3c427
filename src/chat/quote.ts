import type { QuestionTerm } from '../search/search-index.js';
import { MAX_WORDS, type ReadableSentence } from './readable-sentences.js';

/** A sentence that may be quoted. */
export interface Candidate extends ReadableSentence {
  /** The index of its passage. */
  readonly passage: number;
  /** The terms of the question that it has. */
  readonly terms: ReadonlySet<QuestionTerm>;
  /** Whether it has words that the question does not have. */
  readonly saysMore: boolean;
  /** Whether it has a number or name that the question does not have, if the question asks for one. */
  readonly hasAnswerType: boolean;
}

export interface ReadPassage {
  /** The terms of its title and heading: what its sentences are about without saying it. */
  readonly context: ReadonlySet<QuestionTerm>;
  readonly candidates: readonly Candidate[];
  readonly relevance: number;
}

const MAX_SENTENCES = 3;
/** No further sentence is quoted when those before have this share of the terms that can be quoted. */
const ENOUGH = 0.7;
/** The weight of terms in the sentence before, to which a sentence may refer. */
const BEFORE_WEIGHT = 0.35;
/** What a number or name counts, if the question asks for one. */
const TYPE_WEIGHT = 0.12;
/** What it counts that a sentence follows one that is quoted. */
const FOLLOWING_WEIGHT = 0.1;

/**
 * Quotes the fewest sentences that answer the question, each with the `[n]` of its passage: the best
 * one, and while it leaves much of the question open, those that add words of the question to it.
 *
 * @returns undefined where no sentence has a word of the question
 */
export function quote(passages: readonly ReadPassage[]): string | undefined {
  const candidates = passages.flatMap((passage) => passage.candidates);
  const weights = weightsIn(candidates);
  const gainOf = (terms: Iterable<QuestionTerm>, known: ReadonlySet<QuestionTerm>) => {
    let gain = 0;
    for (const term of terms) if (!known.has(term)) gain += weights.get(term) ?? 0;
    return gain;
  };
  const quoted = new Set<Candidate>();
  const covered = new Set<QuestionTerm>();
  let words = 0;
  while (quoted.size < MAX_SENTENCES && gainOf(covered, new Set()) < ENOUGH) {
    let best: { candidate: Candidate; value: number } | undefined;
    for (const [index, candidate] of candidates.entries()) {
      const { passage, terms } = candidate;
      const gain = gainOf(terms, covered);
      // What only repeats the question does not answer it.
      if (candidate.isHeading || !candidate.saysMore) continue;
      // Each citation counts as a word.
      if (words + candidate.words + 1 > MAX_WORDS) continue;
      const previous = candidates[index - 1];
      const before = previous?.passage === passage ? previous : undefined;
      const reference = quoted.size === 0 && before ? gainOf(before.terms, terms) : 0;
      if (gain === 0 && !(before?.isHeading && reference > 0)) continue;
      const value =
        gain +
        BEFORE_WEIGHT * reference +
        (candidate.hasAnswerType ? TYPE_WEIGHT : 0) +
        (before && quoted.has(before) ? FOLLOWING_WEIGHT : 0) +
        (passages[passage]?.relevance ?? 0);
      if (!best || value > best.value) best = { candidate, value };
    }
    if (!best) break;
    quoted.add(best.candidate);
    words += best.candidate.words + 1;
    const { terms, passage } = best.candidate;
    for (const term of [...terms, ...(passages[passage]?.context ?? [])]) covered.add(term);
  }
  if (quoted.size === 0) return undefined;
  return [...quoted].map(({ text, passage }) => `${text} [${passage + 1}]`).join('\n\n');
}

/** The weight of each term, higher for one in fewer sentences; together they are 1. */
function weightsIn(candidates: readonly Candidate[]): Map<QuestionTerm, number> {
  const frequencies = new Map<QuestionTerm, number>();
  for (const { terms } of candidates) {
    for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  }
  const weights = [...frequencies].map(
    ([term, frequency]) => [term, Math.log(1 + candidates.length / (1 + frequency))] as const,
  );
  const sum = weights.reduce((total, [, weight]) => total + weight, 0);
  return new Map(weights.map(([term, weight]) => [term, weight / sum]));
}
