import { findAskedSentences } from '@latchkey/text/asked-sentences';
import type { FoundPassage, QuestionTerm } from '@latchkey/ranking/search-index';
import { weighQuestion } from './asked-question.js';
import { findEditions, sortNewestFirst } from './editions.js';
import { FITTED_MEANING } from './fitted-meaning.js';
import { FITTED_WORDS } from './fitted-words.js';
import { nameInHeading } from './name-before.js';
import { type RatedQuestion, QuoteSelector } from './read-question.js';
import { type QuotedParagraph, buildParagraphs } from './spans.js';
import { ratePassage, type RatedUnit } from './unit-features.js';

/** A passage that can be quoted in an answer. */
export interface QuotablePassage {
  readonly text: string;
  readonly title: string;
  /** The id of its document; passages without an id count as one document. */
  readonly document?: string | undefined;
  /** The headings that it stands under. */
  readonly heading: string | null;
  /** BCP 47; null if unknown. */
  readonly language: string | null;
  /** The words of the question that are in its text, title or heading. */
  readonly matched: readonly string[];
  /** The rows of a table that it has. */
  readonly cells?: FoundPassage['cells'];
  /** The similarity of its parts to the question; absent without vectors. */
  readonly windows?: FoundPassage['windows'];
  /** The similarity of its units to the question (see `./embedded-units`). */
  readonly sentences?: FoundPassage['sentences'];
}

export interface ReadingRequest {
  readonly question: string;
  /** The sentences of it that ask; detected by default. */
  readonly asked?: string | undefined;
  /** The earlier questions that it goes on from. */
  readonly context?: readonly string[] | undefined;
  /** The most words of all quotations together, with their citations. */
  readonly maxWords?: number | undefined;
  /** The words that were searched for; for a follow-up question also those of earlier questions. */
  readonly terms: readonly QuestionTerm[];
  /** Best first. */
  readonly passages: readonly QuotablePassage[];
  /** The best passages before reranking, if they were reranked; only these decide the relevance. */
  readonly original?: readonly QuotablePassage[];
}

/** A quotation from a passage. */
export interface Quote {
  /** The index of its passage. */
  readonly passage: number;
  /** Its place in the text of the passage, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The text as it stands in the passage. */
  readonly text: string;
}

export interface Reading {
  /** The probability that the passages answer the question, 0 to 1. */
  readonly relevance: number;
  /** The answer as people read it; empty if the passages do not contain it. */
  readonly paragraphs: readonly QuotedParagraph[];
  /** The quotations that the paragraphs consist of, in the same order. */
  readonly quotes: readonly Quote[];
  /** The unit of each passage that comes nearest to an answer, best first; shown if there is no answer. */
  readonly nearest: readonly Quote[];
}

/** The reading of a question for which the search found no passages. */
export const NOTHING_READ: Reading = { relevance: 0, paragraphs: [], quotes: [], nearest: [] };

/** At most this many passages are read, and this many characters of them in all. */
const MAX_PASSAGES = 10;
const MAX_LENGTH = 40_000;
/** The first half of a character of two UTF-16 units, at the end of a text that was cut. */
const HALF_CHARACTER = /[\ud800-\udbff]$/;

/**
 * Decides whether passages answer a question, and quotes the answer.
 *
 * @param isCancelled whether the client has disconnected; the remaining passages are then left out
 */
export function readPassages(
  request: ReadingRequest,
  isCancelled: () => boolean = () => false,
): Reading {
  const { passages, original } = request;
  // If some passages have no vectors yet, their scores would not be comparable with those of the others.
  const hasMeaning = [passages, original ?? []].every((some) =>
    some.slice(0, MAX_PASSAGES).every(({ windows }) => windows),
  );
  const fitted = hasMeaning ? FITTED_MEANING : FITTED_WORDS;
  const read = (some: readonly QuotablePassage[]) => {
    const texts = hasMeaning ? some : some.map(withoutMeaning);
    return new QuoteSelector(ratePassages({ ...request, passages: texts }, isCancelled), fitted);
  };
  const shown = read(passages);
  const found = shown.chooseSpans(request.maxWords);
  const editions = findEditions(found, passages);
  const spans = sortNewestFirst(found, editions);
  const paragraphs = buildParagraphs(spans).map((paragraph): QuotedParagraph => {
    const { passage, text } = paragraph;
    const edition = editions.get(passage);
    if (edition) return { passage, text: `${edition.name}: ${text}` };
    const units = spans.find((span) => span.passage === passage)?.units ?? [];
    const language = passages[passage]?.language ?? null;
    const name = shown.asksWho
      ? nameInHeading(units, shown.findHeading(units[0]), language)
      : undefined;
    return name === undefined ? paragraph : { passage, text: `${name}: ${text}` };
  });
  const quote = (passage: number, units: readonly RatedUnit[]): Quote => {
    const [start, end] = [units[0]?.start ?? 0, units.at(-1)?.end ?? 0];
    return { passage, start, end, text: passages[passage]?.text.slice(start, end) ?? '' };
  };
  return {
    relevance: (original ? read(original) : shown).estimateRelevance(),
    paragraphs,
    quotes: spans.map(({ passage, units }) => quote(passage, units)),
    nearest: shown.findNearest().map((unit) => quote(unit.passage, [unit])),
  };
}

const withoutMeaning = ({
  windows: _,
  sentences: __,
  ...passage
}: QuotablePassage): QuotablePassage => passage;

/** Computes the features of all units, without weights. */
export function ratePassages(
  { question: message, asked, context = [], terms, passages }: ReadingRequest,
  isCancelled: () => boolean = () => false,
): RatedQuestion {
  const languages = passages.map(({ language }) => language);
  const question = weighQuestion(
    { whole: message, asked: asked ?? findAskedSentences(message), context },
    terms,
    languages,
  );
  let left = MAX_LENGTH;
  const rated = passages.slice(0, MAX_PASSAGES).map((passage, index) => {
    const text = isCancelled() ? '' : passage.text.slice(0, left).replace(HALF_CHARACTER, '');
    left -= text.length;
    return ratePassage(question, passage, text, index);
  });
  return { question, passages: rated };
}
