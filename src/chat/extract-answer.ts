import { questionTerms } from '../search/question-terms.js';
import { sentences } from '../search/sentences.js';
import { stem, tokenize } from '../search/tokenize.js';

/** A sentence of a passage and the question's words in it. */
interface Candidate {
  /** Of the passage, from 0. */
  readonly passage: number;
  readonly sentence: string;
  readonly matched: ReadonlySet<string>;
}

const MAX_SENTENCES = 3;
const MAX_SENTENCE_LENGTH = 600;
/** What is looked at: the best passages, and so many characters of them. */
const MAX_PASSAGES = 10;
const MAX_LENGTH = 40_000;
/** What a document's own text has in it would refer to a source here. */
const OWN_MARKERS = /(?<!\s)\s*\[\d[\d\s,]*\]/g;
const LETTER = /[\p{L}\p{N}]/u;
/** A passage that shares fewer of the question's words speaks of something else. */
const MIN_COVERAGE = 0.25;

/**
 * Quotes the sentences that say most of what was asked, each with the `[n]` of its passage.
 *
 * @param passages their texts, best first
 * @returns undefined when no passage speaks of what was asked
 */
export function extractAnswer(question: string, passages: readonly string[]): string | undefined {
  const terms = new Set(questionTerms(question).map(stem));
  const candidates = shortened(passages).flatMap((text, passage) =>
    sentencesOf(text).map((sentence) => ({
      passage,
      sentence,
      matched: matches(sentence, terms),
    })),
  );
  if (!passages.some((_, passage) => coverage(candidates, passage, terms) >= MIN_COVERAGE)) {
    return undefined;
  }
  const chosen = choose(candidates, weigh(candidates, terms));
  return chosen.map(({ sentence, passage }) => `${sentence} [${passage + 1}]`).join('\n\n');
}

/** What is looked at of each. */
function shortened(passages: readonly string[]): string[] {
  let rest = MAX_LENGTH;
  return passages.slice(0, MAX_PASSAGES).map((text) => {
    const beginning = text.slice(0, rest);
    rest -= beginning.length;
    return beginning;
  });
}

function sentencesOf(text: string): string[] {
  return text
    .replace(OWN_MARKERS, '')
    .split('\n')
    .flatMap((line) => [...sentences(line)])
    .filter((sentence) => LETTER.test(sentence))
    .map((sentence) => sentence.replace(/^[\s#>*•|-]+/, '').trim())
    .map((sentence) => sentence.slice(0, MAX_SENTENCE_LENGTH).toWellFormed());
}

function matches(sentence: string, terms: ReadonlySet<string>): Set<string> {
  return new Set(
    tokenize(sentence)
      .map(stem)
      .filter((word) => terms.has(word)),
  );
}

/** The part of the question's words that a whole passage has, 0 to 1. */
function coverage(candidates: Candidate[], passage: number, terms: ReadonlySet<string>): number {
  const found = new Set(
    candidates.filter((one) => one.passage === passage).flatMap(({ matched }) => [...matched]),
  );
  return found.size / terms.size;
}

/** Words that few sentences have tell more (inverse document frequency). */
function weigh(candidates: Candidate[], terms: ReadonlySet<string>): Map<string, number> {
  return new Map(
    [...terms].map((term) => {
      const frequency = candidates.filter(({ matched }) => matched.has(term)).length;
      return [term, Math.log(1 + candidates.length / (1 + frequency))];
    }),
  );
}

/** The best sentence, then those that add words which the ones before lack. */
function choose(candidates: Candidate[], weights: Map<string, number>): Candidate[] {
  const chosen: Candidate[] = [];
  const said = new Set<string>();
  const gain = ({ matched, passage }: Candidate) =>
    [...matched]
      .filter((term) => !said.has(term))
      .reduce((sum, term) => sum + (weights.get(term) ?? 0), 0) /
    // Of sentences alike, the one from the better passage.
    (1 + passage / 10);
  while (chosen.length < MAX_SENTENCES) {
    const best = candidates.reduce<Candidate | undefined>(
      (leader, one) => (gain(one) > (leader ? gain(leader) : 0) ? one : leader),
      undefined,
    );
    if (!best) break;
    chosen.push(best);
    best.matched.forEach((term) => said.add(term));
  }
  return chosen;
}
