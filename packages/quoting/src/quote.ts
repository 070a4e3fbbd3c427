import type { QuestionTerm } from '@latchkey/ranking/search-index';
import { MAX_WORDS, type ReadableSentence } from './readable-sentences.js';
import type { MatchedTerms } from './term-matcher.js';

/** What is quoted of a passage. */
export interface Quote {
  /** The index of its passage. */
  readonly passage: number;
  /** Its place in the text of the passage, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** As it stands there. */
  readonly text: string;
}

/** A sentence that may be quoted. */
export interface Candidate extends ReadableSentence {
  /** The index of its passage. */
  readonly passage: number;
  /** The terms of the question that it has or has a similar word for. */
  readonly matched: MatchedTerms;
  /** Those that it has itself, not only a similar word. */
  readonly terms: ReadonlySet<QuestionTerm>;
  /** The letter groups of the question that it has (see letter-groups.ts). */
  readonly groups: ReadonlySet<string>;
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
  /** The terms of its title and heading, which its sentences need not repeat. */
  readonly context: ReadonlySet<QuestionTerm>;
  /** The sentences and windows of clauses that can be quoted. */
  readonly candidates: readonly Candidate[];
  readonly relevance: number;
}

const MAX_SENTENCES = 3;
/** No further sentence is quoted once those before have this share of the weight of all terms. */
const ENOUGH = 0.87;
/** The weight of terms in the preceding sentence, to which a sentence may refer. */
const BEFORE_WEIGHT = 0.35;
/** Added for a number or name, if the question asks for one. */
const TYPE_WEIGHT = 0.12;
/** Added for a sentence that follows a quoted one, because it probably continues it. */
const FOLLOWING_WEIGHT = 0.3;
/** Added for a sentence that precedes a quoted one, because that one may refer to it. */
const PRECEDING_WEIGHT = 0.1;
/** A sentence of a further passage must gain this much: with less it is usually about something else. */
const MIN_GAIN_ELSEWHERE = 0.4;
/** Added, times the margin, for words of the question in the middle of a window of clauses. */
const MARGIN_WEIGHT = 0.1;
/** How much letter groups of the question add, times their share of the weight of all groups. */
const GROUPS_WEIGHT = 0.5;

/**
 * Quotes as few sentences as answer the question, each with the `[n]` of its passage. Takes the best one
 * first. While words of the question are missing, it adds sentences that have some of them, and prefers
 * neighbours of those already quoted.
 *
 * @returns none if no sentence has a word of the question
 */
export function quote(passages: readonly ReadPassage[]): readonly Candidate[] {
  const candidates = passages.flatMap((passage) => passage.candidates);
  const pieces = passages.flatMap((passage) => passage.pieces);
  const weights = weightsIn(pieces.map(({ terms }) => terms));
  const groupWeights = weightsIn(pieces.map(({ groups }) => groups));
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
      // A heading, or a sentence that only repeats the question, does not answer it.
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
        GROUPS_WEIGHT * sumOf(candidate.groups, groupWeights) +
        (passages[passage]?.relevance ?? 0);
      if (!best || value > best.value) best = { candidate, value };
    }
    if (!best) break;
    quoted.add(best.candidate);
    words += best.candidate.words + 1;
    const { terms, passage } = best.candidate;
    for (const term of [...terms, ...(passages[passage]?.context ?? [])]) covered.add(term);
  }
  return [...quoted];
}

function sumOf(groups: Iterable<string>, weights: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const group of groups) sum += weights.get(group) ?? 0;
  return sum;
}

/** The weight of each feature, higher if fewer sentences have it; the weights sum to 1. */
function weightsIn<Feature>(sentences: readonly ReadonlySet<Feature>[]): Map<Feature, number> {
  const frequencies = new Map<Feature, number>();
  for (const features of sentences) {
    for (const feature of features) frequencies.set(feature, (frequencies.get(feature) ?? 0) + 1);
  }
  const weights = [...frequencies].map(
    ([feature, frequency]) => [feature, Math.log(1 + sentences.length / (1 + frequency))] as const,
  );
  const sum = weights.reduce((total, [, weight]) => total + weight, 0);
  return new Map(weights.map(([feature, weight]) => [feature, weight / sum]));
}
