import { Injectable } from '@nestjs/common';
import { questionTerms } from '../search/question-terms.js';
import type { Passage } from '../search/search-index.js';
import { stem, words } from '../search/words.js';
import { AnswerGenerator, type GenerationRequest, type ReadyAnswer } from './answer-generator.js';

/** A sentence of a passage and the question's words in it. */
interface Candidate {
  /** Of the passage, from 0. */
  readonly passage: number;
  readonly sentence: string;
  readonly matched: ReadonlySet<string>;
}

/** What it is called, as a model. */
export const EXTRACTIVE = 'extractive';

const MAX_SENTENCES = 3;
const MAX_SENTENCE_LENGTH = 600;
/** What is looked at: the best passages, and so much of each. */
const MAX_PASSAGES = 10;
const MAX_PASSAGE_LENGTH = 20_000;
/** What a document's own text has in it would refer to a source here. */
const OWN_MARKERS = /(?<!\s)\s*\[\d[\d\s,]*\]/g;
/** A passage that shares fewer of the question's words speaks of something else. */
const MIN_COVERAGE = 0.25;

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });

/**
 * Answers by quoting the sentences that say most of what was asked, each with the `[n]` of its
 * source. Needs no language model.
 */
@Injectable()
export class ExtractiveGenerator extends AnswerGenerator {
  override generate({ question, passages }: GenerationRequest): ReadyAnswer {
    return { model: EXTRACTIVE, text: answer(question, passages.slice(0, MAX_PASSAGES)) };
  }
}

/** Undefined when no passage speaks of what was asked. */
function answer(question: string, passages: readonly Passage[]): string | undefined {
  const terms = new Set(questionTerms(question).map(stem));
  const candidates = passages.flatMap(({ text }, passage) =>
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

function sentencesOf(text: string): string[] {
  return text
    .slice(0, MAX_PASSAGE_LENGTH)
    .replace(OWN_MARKERS, '')
    .split('\n')
    .flatMap((line) => Array.from(sentences.segment(line), ({ segment }) => segment))
    .map((sentence) => sentence.replace(/^[\s#>*•|-]+/, '').trim())
    .filter((sentence) => sentence !== '')
    .map((sentence) => sentence.slice(0, MAX_SENTENCE_LENGTH).toWellFormed());
}

function matches(sentence: string, terms: ReadonlySet<string>): Set<string> {
  return new Set(
    words(sentence)
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
