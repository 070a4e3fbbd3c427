import { askedSentences } from '@latchkey/text/asked-sentences';
import type { FoundPassage, QuestionTerm } from '@latchkey/ranking/search-index';
import { askedQuestion } from './asked-question.js';
import { editionsOf, newestFirst } from './editions.js';
import { FITTED_MEANING } from './fitted-meaning.js';
import { FITTED_WORDS } from './fitted-words.js';
import { nameInHeading } from './name-before.js';
import { type RatedQuestion, ReadQuestion } from './read-question.js';
import { type Paragraph, paragraphsOf } from './spans.js';
import { ratePassage, type RatedUnit } from './unit-features.js';

/** A passage as it is read for an answer. */
export interface PassageText {
  readonly text: string;
  readonly title: string;
  /** The id of its document; passages without one are of the same. */
  readonly document?: string | undefined;
  /** The headings that it stands under. */
  readonly heading: string | null;
  /** BCP 47; null if unknown. */
  readonly language: string | null;
  /** The words of the question that are in its text, title or heading. */
  readonly matched: readonly string[];
  /** The rows of a table that it has. */
  readonly cells?: FoundPassage['cells'];
  /** How near its parts are to the question, where it has vectors. */
  readonly windows?: FoundPassage['windows'];
  /** The same of its units (`./embedded-units`). */
  readonly sentences?: FoundPassage['sentences'];
}

export interface ReadingRequest {
  readonly question: string;
  /** The sentences of it that ask; by default those that can be told to. */
  readonly asked?: string | undefined;
  /** The questions asked before that it goes on from. */
  readonly context?: readonly string[] | undefined;
  /** The most words of what is quoted, with its citations. */
  readonly maxWords?: number | undefined;
  /** The words that were searched for; for a follow-up question also those of earlier questions. */
  readonly terms: readonly QuestionTerm[];
  /** Best first. */
  readonly passages: readonly PassageText[];
  /** The best passages before they were reranked, if they were; they alone decide the relevance. */
  readonly original?: readonly PassageText[];
}

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

export interface Reading {
  /** How probable it is that the passages answer the question, 0 to 1. */
  readonly relevance: number;
  /** What answers the question, as a person reads it; empty if nothing does. */
  readonly paragraphs: readonly Paragraph[];
  /** Where they stand, in their order. */
  readonly quotes: readonly Quote[];
  /** What comes nearest to an answer in each passage, best first, for where nothing answers. */
  readonly nearest: readonly Quote[];
}

/** Of a question for which nothing was found. */
export const NOTHING_READ: Reading = { relevance: 0, paragraphs: [], quotes: [], nearest: [] };

/** At most this many passages are read, and this many characters of them in all. */
const MAX_PASSAGES = 10;
const MAX_LENGTH = 40_000;
/** The first half of a character of two UTF-16 units, at the end of a text that was cut. */
const HALF_CHARACTER = /[\ud800-\udbff]$/;

/**
 * Decides whether passages answer a question, and quotes what does.
 *
 * @param isCancelled whether the client has disconnected; the remaining passages are then left out
 */
export function readPassages(
  request: ReadingRequest,
  isCancelled: () => boolean = () => false,
): Reading {
  const { passages, original } = request;
  // Nothing is comparable with the nearness of passages that have no vectors yet.
  const hasMeaning = [passages, original ?? []].every((some) =>
    some.slice(0, MAX_PASSAGES).every(({ windows }) => windows),
  );
  const fitted = hasMeaning ? FITTED_MEANING : FITTED_WORDS;
  const read = (some: readonly PassageText[]) => {
    const texts = hasMeaning ? some : some.map(withoutMeaning);
    return new ReadQuestion(rate({ ...request, passages: texts }, isCancelled), fitted);
  };
  const shown = read(passages);
  const found = shown.spans(request.maxWords);
  const editions = editionsOf(found, passages);
  const spans = newestFirst(found, editions);
  const paragraphs = paragraphsOf(spans).map((paragraph): Paragraph => {
    const { passage, text } = paragraph;
    const edition = editions.get(passage);
    if (edition) return { passage, text: `${edition.name}: ${text}` };
    const units = spans.find((span) => span.passage === passage)?.units ?? [];
    const language = passages[passage]?.language ?? null;
    const name = shown.asksWho
      ? nameInHeading(units, shown.headingOf(units[0]), language)
      : undefined;
    return name === undefined ? paragraph : { passage, text: `${name}: ${text}` };
  });
  const quote = (passage: number, units: readonly RatedUnit[]): Quote => {
    const [start, end] = [units[0]?.start ?? 0, units.at(-1)?.end ?? 0];
    return { passage, start, end, text: passages[passage]?.text.slice(start, end) ?? '' };
  };
  return {
    relevance: (original ? read(original) : shown).relevance(),
    paragraphs,
    quotes: spans.map(({ passage, units }) => quote(passage, units)),
    nearest: shown.nearest().map((unit) => quote(unit.passage, [unit])),
  };
}

const withoutMeaning = ({ windows: _, sentences: __, ...passage }: PassageText): PassageText =>
  passage;

/** Rates all that can be quoted, by features alone. */
export function rate(
  { question: message, asked, context = [], terms, passages }: ReadingRequest,
  isCancelled: () => boolean = () => false,
): RatedQuestion {
  const languages = passages.map(({ language }) => language);
  const question = askedQuestion(
    { whole: message, asked: asked ?? askedSentences(message), context },
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
