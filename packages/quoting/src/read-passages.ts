import { findAskedSentences } from '@latchkey/text/asked-sentences';
import { weighQuestion } from './asked-question.js';
import { findAskedYears } from '@latchkey/ranking/newest-first';
import { findYears } from '@latchkey/text/years';
import { findConflicts, findDatedAlike, nameDated, nameDatedValues, sortAs } from './conflicts.js';
import {
  findOlder,
  findOtherYears,
  findSeveral,
  isOfOtherYears,
  nameEdition,
  sortNewestFirst,
  toEditions,
} from './editions.js';
import { nameInHeading } from './name-before.js';
import { type RatedQuestion, QuoteSelector } from './read-question.js';
import { countWords } from './readable-text.js';
import {
  MAX_LENGTH,
  MAX_PASSAGES,
  MAX_WORDS,
  type QuotablePassage,
  type Quote,
  type QuotedParagraph,
  type Reading,
  type ReadingRequest,
} from './reading.js';
import { spellCodesAsIn } from './same-codes.js';
import { buildParagraphs, type Span } from './spans.js';
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
  const { question, asked, context = [] } = request;
  const years = findAskedYears({ asked, question: [question, ...context].join('\n') });
  const {
    shown,
    spans: found,
    value,
    editions,
    several,
    hasOthers,
  } = readEditions(request, read, years);
  const findValue = (unit: RatedUnit) => shown.findValueIn(unit)?.text;
  const ofNoYear = found.filter(({ passage }) => !several.has(passage));
  const conflicting = findConflicts(ofNoYear, passages, question, findValue);
  const alike = findDatedAlike(ofNoYear, passages, question, findValue);
  const newestFirst = sortAs(sortNewestFirst(found, editions, several), alike);
  const spans = sortAs(newestFirst, conflicting);
  const dated = nameDatedValues(spans, passages, findValue);
  const paragraphs = buildParagraphs(spans).map((paragraph): QuotedParagraph => {
    const { passage, text } = paragraph;
    const edition = editions[passage];
    const isNamed = hasOthers || years.size > 0;
    const called =
      (isNamed ? nameEdition(edition, text, years) : undefined) ??
      dated.get(passage) ??
      (conflicting.includes(passage) ? nameDated(passages[passage]) : undefined);
    if (called) return { passage, text: `${called}: ${text}` };
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
  const isOther = isOfOtherYears(spans, editions, passages, findYears(question));
  const confidence = (original ? read(original) : shown).estimateConfidence();
  return {
    confidence: isOther ? 0 : round(confidence),
    paragraphs,
    ...(value &&
      conflicting.length === 0 &&
      alike.length === 0 &&
      isOnlyOne(value, spans, several, (unit) => shown.findValueIn(unit)) && { value }),
    quotes: spans.map(({ passage, units }) => quote(passage, units)),
    conflict: conflicting.length > 0,
    nearest: shown.findNearest().map((unit) => quote(unit.passage, [unit])),
  };
}

/** How often passages are rated without those of which there is a newer one; each time takes as long as the first. */
const MAX_ROUNDS = 4;

/** Reads the passages of the year that is asked for, or else the newest of those that say the same. */
function readEditions(
  { passages, maxWords = MAX_WORDS }: ReadingRequest,
  read: (some: readonly QuotablePassage[]) => QuoteSelector,
  years: ReadonlySet<number>,
) {
  const editions = toEditions(passages);
  let leftOut = findOtherYears(editions, passages, years);
  let hasOthers = leftOut.size > 0;
  for (let round = 1; ; round++) {
    const shown = read(
      passages.map((one, index) => (leftOut.has(index) ? { ...one, text: '' } : one)),
    );
    const value = shown.findValue();
    const spans = shown.chooseSpans(maxWords - countWords(value?.text ?? ''));
    const older = findOlder(spans, editions, shown);
    hasOthers ||= older.size > 0;
    const isWanted = years.size > 0 || shown.mayCompareYears;
    if (older.size === 0 || isWanted || round === MAX_ROUNDS) {
      const several = older.size > 0 ? findSeveral(spans, editions) : new Set<number>();
      return { shown, spans, value, editions, several, hasOthers };
    }
    leftOut = new Set([...leftOut, ...older]);
  }
}

/** Two digits; more would suggest a precision that no estimate has. */
const round = (probability: number): number => Math.round(probability * 100) / 100;

/**
 * Whether the unit of a value is quoted, and neither another edition or row, which has a value of its own, nor
 * another sentence beside it with as much of the question and another value.
 */
function isOnlyOne(
  { passage, start, end, text }: Quote,
  spans: readonly Span[],
  editions: ReadonlySet<number>,
  findValueIn: (unit: RatedUnit) => Quote | undefined,
): boolean {
  const units = spans.flatMap((span) => (span.passage === passage ? span.units : []));
  const holding = units.find((unit) => unit.start <= start && end <= unit.end);
  if (!holding || editions.has(passage)) return false;
  const getCovered = ({ features }: RatedUnit) => features['coveredAsked'] ?? 0;
  return units.every((unit) => {
    if (unit === holding) return true;
    if (holding.kind === 'row') return unit.kind !== 'row' || unit.block !== holding.block;
    const isAsGood = unit.section === holding.section && getCovered(unit) >= getCovered(holding);
    return !isAsGood || [undefined, text].includes(findValueIn(unit)?.text);
  });
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
  const texts = passages.slice(0, MAX_PASSAGES).map(({ title, text }) => `${title}\n${text}`);
  const codes = spellCodesAsIn(texts, [message, asked ?? '', ...context].join('\n'), terms);
  const whole = codes.respell(message);
  const question = weighQuestion(
    {
      whole,
      asked: asked === undefined ? findAskedSentences(whole) : codes.respell(asked),
      context: context.map(codes.respell),
    },
    codes.terms,
    languages,
    {
      hasEditions: toEditions(passages).some(({ years }) => years.size > 0),
      givenYears: new Set(passages.flatMap(({ givenDate }) => givenDate?.slice(0, 4) ?? [])),
    },
  );
  let left = MAX_LENGTH;
  const rated = passages.slice(0, MAX_PASSAGES).map((passage, index) => {
    const text = isCancelled() ? '' : passage.text.slice(0, left).replace(HALF_CHARACTER, '');
    left -= text.length;
    return ratePassage(question, passage, text, index);
  });
  return { question, passages: rated };
}
