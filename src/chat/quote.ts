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
  /** The sentences of its passage that it is made of, from `start` to before `end`. */
  readonly start: number;
  readonly end: number;
  /** Of a window of clauses: how far its words of the question are from its ends, 0 to 1. */
  readonly margin: number;
}

export interface ReadPassage {
  /** Its sentences and clauses in order. */
  readonly pieces: readonly Candidate[];
  /** The terms of its title and heading: what its sentences are about without saying it. */
  readonly context: ReadonlySet<QuestionTerm>;
  /** What can be quoted of it. */
  readonly candidates: readonly Candidate[];
  readonly relevance: number;
}

const MAX_SENTENCES = 3;
/** No further sentence is quoted when those before have this share of the terms that can be quoted. */
const ENOUGH = 0.87;
/** The weight of terms in the sentence before, to which a sentence may refer. */
const BEFORE_WEIGHT = 0.35;
/** What a number or name counts, if the question asks for one. */
const TYPE_WEIGHT = 0.12;
/** What it counts that a sentence follows one that is quoted: it says more of the same. */
const FOLLOWING_WEIGHT = 0.3;
/** What it counts that it precedes one: that may refer to it. */
const PRECEDING_WEIGHT = 0.1;
/** What a further sentence of another passage adds at least. With less it is mostly about something else. */
const MIN_GAIN_ELSEWHERE = 0.4;
/** What it counts that the words of the question are in the middle of a window of clauses. */
const MARGIN_WEIGHT = 0.1;

/**
 * Quotes the fewest sentences that answer the question, each with the `[n]` of its passage: the best
 * one, and while it leaves some of the question open, those that add words of the question to it,
 * rather its neighbours than others.
 *
 * @returns undefined where no sentence has a word of the question
 */
export function quote(passages: readonly ReadPassage[]): string | undefined {
  const candidates = passages.flatMap((passage) => passage.candidates);
  const weights = weightsIn(passages.flatMap((passage) => passage.pieces));
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
    for (const candidate of candidates) {
      const { passage, terms, start, end } = candidate;
      const gain = gainOf(terms, covered);
      // What only repeats the question does not answer it.
      if (candidate.isHeading || !candidate.saysMore) continue;
      // Each citation counts as a word.
      if (words + candidate.words + 1 > MAX_WORDS) continue;
      const before = passages[passage]?.pieces[start - 1];
      const reference = quoted.size === 0 && before ? gainOf(before.terms, terms) : 0;
      const neighbours = [...quoted].filter((one) => one.passage === passage);
      if (quoted.size > 0 && neighbours.length === 0 && gain < MIN_GAIN_ELSEWHERE) continue;
      if (neighbours.some((one) => one.start < end && start < one.end)) continue;
      if (gain === 0 && !(before?.isHeading && reference > 0)) continue;
      const value =
        gain +
        BEFORE_WEIGHT * reference +
        (candidate.hasAnswerType ? TYPE_WEIGHT : 0) +
        (neighbours.some((one) => one.end === start) ? FOLLOWING_WEIGHT : 0) +
        (neighbours.some((one) => one.start === end) ? PRECEDING_WEIGHT : 0) +
        MARGIN_WEIGHT * candidate.margin +
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
function weightsIn(pieces: readonly Candidate[]): Map<QuestionTerm, number> {
  const frequencies = new Map<QuestionTerm, number>();
  for (const { terms } of pieces) {
    for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  }
  const weights = [...frequencies].map(
    ([term, frequency]) => [term, Math.log(1 + pieces.length / (1 + frequency))] as const,
  );
  const sum = weights.reduce((total, [, weight]) => total + weight, 0);
  return new Map(weights.map(([term, weight]) => [term, weight / sum]));
}
