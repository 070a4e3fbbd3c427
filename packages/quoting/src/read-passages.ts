import { findAskedSentences } from '@latchkey/text/asked-sentences';
import { weighQuestion } from './asked-question.js';
import { findEditions, sortNewestFirst } from './editions.js';
import { nameInHeading } from './name-before.js';
import { type RatedQuestion, QuoteSelector } from './read-question.js';
import {
  MAX_LENGTH,
  MAX_PASSAGES,
  type QuotablePassage,
  type Quote,
  type QuotedParagraph,
  type Reading,
  type ReadingRequest,
} from './reading.js';
import { buildParagraphs } from './spans.js';
import { ratePassage, type RatedUnit } from './unit-features.js';
import { WEIGHTS } from './weights.js';

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
  const weights = hasMeaning ? WEIGHTS.meaning : WEIGHTS.words;
  const read = (some: readonly QuotablePassage[]) => {
    const texts = hasMeaning ? some : some.map(withoutMeaning);
    return new QuoteSelector(ratePassages({ ...request, passages: texts }, isCancelled), weights);
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
    confidence: round((original ? read(original) : shown).estimateConfidence()),
    paragraphs,
    quotes: spans.map(({ passage, units }) => quote(passage, units)),
    nearest: shown.findNearest().map((unit) => quote(unit.passage, [unit])),
  };
}

/** Two digits; more would suggest a precision that no estimate has. */
const round = (probability: number): number => Math.round(probability * 100) / 100;

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
