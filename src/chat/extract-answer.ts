import { questionTerms } from '../search/question-terms.js';
import { sentences } from '../search/sentences.js';
import { stem, tokenize } from '../search/tokenize.js';

/** A sentence that may be quoted, and the terms of the question that it contains. */
interface Candidate {
  /** The index of its passage. */
  readonly passage: number;
  readonly sentence: string;
  readonly matched: ReadonlySet<string>;
}

/** The maximum number of sentences in an answer, and of characters of each. */
const MAX_SENTENCES = 3;
const MAX_SENTENCE_LENGTH = 600;
/** The maximum number of passages that are read, and of characters of them all. */
const MAX_PASSAGES = 10;
const MAX_LENGTH = 40_000;
/** Removed, because a `[1]` of the document would look like a citation of the answer. */
const OWN_CITATIONS = /(?<!\s)\s*\[\d[\d\s,]*\]/g;
const LETTER = /[\p{L}\p{N}]/u;
/** A passage with a smaller share of the question's terms counts as unrelated. */
const MIN_COVERAGE = 0.25;

/**
 * Quotes the sentences that match the question best, each with the `[n]` of its passage.
 *
 * @param passages their texts, best first
 * @returns undefined when no passage is about the question
 */
export function extractAnswer(question: string, passages: readonly string[]): string | undefined {
  const terms = new Set(questionTerms(question).map((word) => stem(word)));
  const byPassage = shorten(passages).map((text, passage) =>
    sentencesOf(text).map((sentence) => ({ passage, sentence, matched: match(sentence, terms) })),
  );
  if (!byPassage.some((candidates) => coverage(candidates, terms) >= MIN_COVERAGE)) {
    return undefined;
  }
  const candidates = byPassage.flat();
  const chosen = choose(candidates, inverseFrequencies(candidates, terms));
  return chosen.map(({ sentence, passage }) => `${sentence} [${passage + 1}]`).join('\n\n');
}

/** The first passages, MAX_LENGTH characters in all. */
function shorten(passages: readonly string[]): string[] {
  let rest = MAX_LENGTH;
  return passages.slice(0, MAX_PASSAGES).map((text) => {
    const beginning = text.slice(0, rest);
    rest -= beginning.length;
    return beginning;
  });
}

function sentencesOf(text: string): string[] {
  return text
    .replace(OWN_CITATIONS, '')
    .split('\n')
    .flatMap((line) => [...sentences(line)])
    .filter((sentence) => LETTER.test(sentence))
    .map((sentence) => sentence.replace(/^[\s#>*•|-]+/, '').trim())
    .map((sentence) => sentence.slice(0, MAX_SENTENCE_LENGTH).toWellFormed());
}

const match = (sentence: string, terms: ReadonlySet<string>): Set<string> =>
  new Set(
    tokenize(sentence)
      .map((word) => stem(word))
      .filter((word) => terms.has(word)),
  );

/** The share of the terms that the sentences of one passage have together, 0 to 1. */
const coverage = (candidates: readonly Candidate[], terms: ReadonlySet<string>): number =>
  new Set(candidates.flatMap(({ matched }) => [...matched])).size / terms.size;

/** The weight of each term: higher for a term in fewer sentences. */
function inverseFrequencies(
  candidates: readonly Candidate[],
  terms: ReadonlySet<string>,
): Map<string, number> {
  return new Map(
    [...terms].map((term) => {
      const frequency = candidates.filter(({ matched }) => matched.has(term)).length;
      return [term, Math.log(1 + candidates.length / (1 + frequency))];
    }),
  );
}

/** Chooses the best sentence, then those that add the most weight of terms not yet covered. */
function choose(candidates: readonly Candidate[], weights: Map<string, number>): Candidate[] {
  const chosen: Candidate[] = [];
  const covered = new Set<string>();
  const gain = ({ matched, passage }: Candidate) =>
    [...matched]
      .filter((term) => !covered.has(term))
      .reduce((sum, term) => sum + (weights.get(term) ?? 0), 0) /
    // Of equal sentences, the one from the better passage is quoted.
    (1 + passage / 10);
  while (chosen.length < MAX_SENTENCES) {
    const best = candidates.reduce<Candidate | undefined>(
      (leader, one) => (gain(one) > (leader ? gain(leader) : 0) ? one : leader),
      undefined,
    );
    if (!best) break;
    chosen.push(best);
    best.matched.forEach((term) => covered.add(term));
  }
  return chosen;
}
