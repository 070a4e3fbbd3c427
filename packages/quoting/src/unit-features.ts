import { hasSpelledNumber } from '@latchkey/text/spelled-numbers';
import { stem, tokenize } from '@latchkey/text/tokenize';
import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import { saysFree } from './asked-price.js';
import type { WeightedQuestion } from './asked-question.js';
import { denies } from './denials.js';
import type { Features } from './fitted.js';
import { findDatesWithin } from './calendar-ranges.js';
import { findNamedRows } from './named-rows.js';
import { findNumbersWithin } from './number-ranges.js';
import { hasAnswerType } from './question-type.js';
import { hasTimeWord } from './time-words.js';
import type { QuotablePassage } from './reading.js';
import { findSameCurrencies } from './same-currencies.js';
import { findWordsOfSameDates } from './same-dates.js';
import { findSameNumbers } from './same-numbers.js';
import { mergeMatches, type MatchedTerms, PRESENT } from './term-matcher.js';
import { type Unit, splitUnits } from './units.js';

/** A unit with the features that show whether it answers. */
export interface RatedUnit extends Unit {
  /** The index of its passage. */
  readonly passage: number;
  readonly matched: MatchedTerms;
  /** The terms of the unit, its heading, its column names, and the passage's title. */
  readonly matchedInContext: MatchedTerms;
  /** Whether it is a row whose name the question has. */
  readonly isNamed: boolean;
  readonly features: Features;
}

export interface RatedPassage {
  readonly units: readonly RatedUnit[];
  /** The terms that its title, headings and text have. */
  readonly matched: MatchedTerms;
  readonly source: QuotablePassage;
  /** BCP 47, of the text; where that is unknown, of the question. */
  readonly language: string | null;
}

/** A sentence that covers this much of the question answers "who" even without a name. */
const MIN_COVERED_OF_ROLE = 0.75;
/** A denial that covers less of the question may deny something else. */
const MIN_COVERED_OF_DENIAL = 0.9;
const CASED = /[\p{Lu}\p{Ll}]/u;
const NOTHING: MatchedTerms = new Map();

/** @param text the part of the passage that is read */
export function ratePassage(
  question: WeightedQuestion,
  source: QuotablePassage,
  text: string,
  passage: number,
): RatedPassage {
  const { matcher, coverage, ownCoverage } = question;
  const { heading, title, language, givenDate } = source;
  const toStems = (some: string) => tokenize(some, language).map((word) => stem(word, language));
  const asked = new Set(toStems(question.text));
  const units = splitUnits(text, heading, source.cells?.columns);
  const named = findNamedRows(source.cells, question.text);
  const stems = units.map((unit) => toStems(unit.text));
  const askedIn = detectQuestionLanguage(question.text);
  // The language of a short text is unknown; that of the question is assumed.
  const writtenIn = language ?? askedIn ?? null;
  const matches = stems.map((some, index) => {
    const unit = units[index];
    return mergeMatches(
      matcher.match(some),
      unit ? matchRanges(question, unit, language, askedIn) : NOTHING,
    );
  });
  const inTitle = matcher.match(toStems(`${title} ${heading ?? ''} ${givenDate ?? ''}`));
  const best = findNearestWindow(source);
  const heaviest = Math.max(1e-9, ...question.terms.map(({ weight }) => weight));
  const rated = units.map((unit, index): RatedUnit => {
    const matched = matches[index] ?? NOTHING;
    const inSection = mergeMatches(
      matched,
      matches[unit.section] ?? NOTHING,
      unit.header === index ? NOTHING : (matches[unit.header] ?? NOTHING),
    );
    const inContext = mergeMatches(inSection, inTitle);
    const covered = coverage.computeShare(matched);
    const withSection = coverage.computeShare(inSection);
    const withContext = coverage.computeShare(inContext);
    const isSameBlock = (other: number) => units[other]?.section === unit.section;
    const withBefore = isSameBlock(index - 1)
      ? coverage.computeShare(mergeMatches(inContext, matches[index - 1] ?? NOTHING))
      : withContext;
    const withAfter = isSameBlock(index + 1)
      ? coverage.computeShare(mergeMatches(inContext, matches[index + 1] ?? NOTHING))
      : withContext;
    const rarest = Math.max(0, ...[...matched].map(([term, credit]) => credit * term.weight));
    const distinct = new Set(stems[index]);
    const fresh = [...distinct].filter((one) => !asked.has(one)).length;
    const { type } = question;
    const isOfType =
      type !== undefined && type !== 'manner' && hasAnswerType(unit.text, type, question.text);
    // Names cannot be recognised in scripts without case and at the beginning of a cell. And a sentence that
    // has most of the question may answer with a role instead of a name, such as "a caretaker".
    const isUnclear =
      type === 'person' &&
      (!CASED.test(unit.text) ||
        unit.kind === 'row' ||
        ownCoverage.computeShare(matched) >= MIN_COVERED_OF_ROLE);
    const isOfNumber = type === 'number' || type === 'time';
    const isAsked = (word: string) =>
      [...matcher.match([stem(word, language)]).values()].some((credit) => credit >= PRESENT);
    const isSpelledOut =
      (isOfNumber && hasSpelledNumber(unit.text, writtenIn)) ||
      (type === 'number' && saysFree(unit.text)) ||
      (type === 'time' && hasTimeWord(unit.text, writtenIn)) ||
      (isOfNumber &&
        ownCoverage.computeShare(matched) >= MIN_COVERED_OF_DENIAL &&
        denies(unit.text, writtenIn, isAsked));
    const near = findNearestWindowOver(source.windows, unit);
    const own = findNearestWindowOver(source.sentences, unit) ?? near;
    return {
      ...unit,
      passage,
      matched,
      matchedInContext: inContext,
      isNamed: unit.kind === 'row' && named.has(unit.text),
      features: {
        covered,
        coveredAsked: ownCoverage.computeShare(matched),
        coveredBySection: withSection - covered,
        coveredByContext: withContext - withSection,
        coveredBefore: withBefore - withContext,
        coveredAfter: withAfter - withContext,
        rarest: rarest / heaviest,
        type: Number(isOfType),
        typeMissing: Number(
          type !== undefined && type !== 'manner' && !isOfType && !isSpelledOut && !isUnclear,
        ),
        row: Number(unit.kind === 'row'),
        header: Number(unit.kind === 'row' && unit.header === index),
        item: Number(unit.kind === 'item'),
        step: Number(unit.kind === 'step'),
        stepOfManner: Number(unit.kind === 'step' && type === 'manner'),
        lead: Number(unit.isLead),
        clause: Number(unit.isClause),
        words: Math.log1p(unit.words),
        short: Number(unit.words < 4),
        rank: -Math.log1p(passage),
        first: Number(passage === 0),
        fresh: Math.log1p(fresh),
        repeats: Number(fresh === 0),
        ...(near && {
          asked: near.toAsked,
          whole: near.toWhole,
          isNearest: Number(near === best),
          ownAsked: own?.toAsked ?? near.toAsked,
          ownWhole: own?.toWhole ?? near.toWhole,
        }),
      },
    };
  });
  const inText = matches.length > 0 ? mergeMatches(...matches) : NOTHING;
  const words = new Set(source.matched);
  const found = question.terms.filter(({ word }) => words.has(word));
  return {
    units: rated,
    matched: mergeMatches(new Map(found.map((term) => [term, 1])), inTitle, inText),
    source,
    language: writtenIn,
  };
}

/** Matches numbers, days, months and currencies of the question that a unit has in a range or in another form. */
function matchRanges(
  { numbers, countedNumbers, currencies, terms, asksWhether, dates, codes }: WeightedQuestion,
  unit: Unit,
  language: string | null,
  askedIn: string | undefined,
): MatchedTerms {
  const words = terms.map(({ word }) => word);
  const within = new Set([
    ...findNumbersWithin(numbers, unit.text, { isRow: unit.kind === 'row', asksWhether }),
    ...findDatesWithin(words, askedIn, unit.text, language),
    ...findWordsOfSameDates(dates, unit.text, codes),
    ...findSameNumbers(countedNumbers, unit.text, language ?? askedIn ?? null),
    ...findSameCurrencies(currencies, unit.text),
  ]);
  return new Map(terms.filter(({ word }) => within.has(word)).map((term) => [term, 1]));
}

type Window = NonNullable<QuotablePassage['windows']>[number];

const findNearestWindow = ({ windows }: QuotablePassage): Window | undefined =>
  windows?.reduce((best, one) => (one.toAsked > best.toAsked ? one : best));

/** The nearest of the windows that a unit is in. */
export function findNearestWindowOver(
  windows: QuotablePassage['windows'],
  { start, end }: Pick<Unit, 'start' | 'end'>,
): Window | undefined {
  let best: Window | undefined;
  for (const window of windows ?? []) {
    if (window.start >= end || window.end <= start) continue;
    if (!best || window.toAsked > best.toAsked) best = window;
  }
  return best;
}
