import { stem, tokenize } from '@latchkey/text/tokenize';
import { questionLanguage } from '@latchkey/text/language/question-language';
import type { AskedQuestion } from './asked-question.js';
import { denies } from './denials.js';
import type { Features } from './fitted.js';
import { datesWithin } from './calendar-ranges.js';
import { letterGroups } from './letter-groups.js';
import { namedRows } from './named-rows.js';
import { numbersWithin } from './number-ranges.js';
import { hasNumberWord } from './number-words.js';
import { hasAnswerType } from './question-type.js';
import { hasTimeWord } from './time-words.js';
import type { PassageText } from './read-passages.js';
import { wordsOfSameDates } from './same-dates.js';
import { allOf, type MatchedTerms, PRESENT } from './term-matcher.js';
import { type Unit, unitsOf } from './units.js';

/** A unit with what tells whether it answers. */
export interface RatedUnit extends Unit {
  /** The index of its passage. */
  readonly passage: number;
  readonly matched: MatchedTerms;
  /** With the words of its heading, its column names, and the passage's title. */
  readonly matchedInContext: MatchedTerms;
  /** Whether it is a row whose name the question has. */
  readonly isNamed: boolean;
  readonly features: Features;
}

export interface RatedPassage {
  readonly units: readonly RatedUnit[];
  /** The terms that its title, headings and text have. */
  readonly matched: MatchedTerms;
  readonly source: PassageText;
}

/** A sentence that has so much of the question says who, if by no name. */
const MIN_COVERED_OF_ROLE = 0.75;
/** What denies less of the question may deny something else. */
const MIN_COVERED_OF_DENIAL = 0.9;
const CASED = /[\p{Lu}\p{Ll}]/u;
const NOTHING: MatchedTerms = new Map();

/** @param text the part of the passage that is read */
export function ratePassage(
  question: AskedQuestion,
  source: PassageText,
  text: string,
  passage: number,
): RatedPassage {
  const { matcher, coverage, ownCoverage } = question;
  const { heading, title, language } = source;
  const stemsOf = (some: string) => tokenize(some, language).map((word) => stem(word, language));
  const asked = new Set(stemsOf(question.text));
  const units = unitsOf(text, heading, source.cells?.columns);
  const named = namedRows(source.cells, question.text);
  const stems = units.map((unit) => stemsOf(unit.text));
  const askedIn = questionLanguage(question.text);
  const matches = stems.map((some, index) => {
    const unit = units[index];
    return allOf(
      matcher.match(some),
      unit ? withinRanges(question, unit, language, askedIn) : NOTHING,
    );
  });
  const inTitle = matcher.match(stemsOf(`${title} ${heading ?? ''}`));
  const best = nearestWindow(source);
  const heaviest = Math.max(1e-9, ...question.terms.map(({ weight }) => weight));
  const rated = units.map((unit, index): RatedUnit => {
    const matched = matches[index] ?? NOTHING;
    const inSection = allOf(
      matched,
      matches[unit.section] ?? NOTHING,
      unit.header === index ? NOTHING : (matches[unit.header] ?? NOTHING),
    );
    const inContext = allOf(inSection, inTitle);
    const covered = coverage.shareOf(matched);
    const withSection = coverage.shareOf(inSection);
    const withContext = coverage.shareOf(inContext);
    const isSameBlock = (other: number) => units[other]?.section === unit.section;
    const withBefore = isSameBlock(index - 1)
      ? coverage.shareOf(allOf(inContext, matches[index - 1] ?? NOTHING))
      : withContext;
    const withAfter = isSameBlock(index + 1)
      ? coverage.shareOf(allOf(inContext, matches[index + 1] ?? NOTHING))
      : withContext;
    const rarest = Math.max(0, ...[...matched].map(([term, credit]) => credit * term.weight));
    const distinct = new Set(stems[index]);
    const fresh = [...distinct].filter((one) => !asked.has(one)).length;
    const { type } = question;
    const isOfType =
      type !== undefined && type !== 'manner' && hasAnswerType(unit.text, type, question.text);
    // Where letters have no case, and at the beginning of a cell, nobody sees which words are names. And
    // what is as the question says may be done by a caretaker.
    const isUnclear =
      type === 'person' &&
      (!CASED.test(unit.text) ||
        unit.kind === 'row' ||
        ownCoverage.shareOf(matched) >= MIN_COVERED_OF_ROLE);
    const isOfNumber = type === 'number' || type === 'time';
    // Short texts have no language that can be told.
    const writtenIn = language ?? askedIn ?? null;
    const isAsked = (word: string) =>
      [...matcher.match([stem(word, language)]).values()].some((credit) => credit >= PRESENT);
    const isSpelledOut =
      (isOfNumber && hasNumberWord(unit.text, writtenIn)) ||
      (type === 'time' && hasTimeWord(unit.text, writtenIn)) ||
      (isOfNumber &&
        ownCoverage.shareOf(matched) >= MIN_COVERED_OF_DENIAL &&
        denies(unit.text, writtenIn, isAsked));
    const near = nearness(source.windows, unit);
    const own = nearness(source.sentences, unit) ?? near;
    return {
      ...unit,
      passage,
      matched,
      matchedInContext: inContext,
      isNamed: unit.kind === 'row' && named.has(unit.text),
      features: {
        covered,
        coveredAsked: ownCoverage.shareOf(matched),
        coveredBySection: withSection - covered,
        coveredByContext: withContext - withSection,
        coveredBefore: withBefore - withContext,
        coveredAfter: withAfter - withContext,
        rarest: rarest / heaviest,
        groups: shareOfGroups(unit.text, question.groups),
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
  const inText = matches.length > 0 ? allOf(...matches) : NOTHING;
  const words = new Set(source.matched);
  const found = question.terms.filter(({ word }) => words.has(word));
  return {
    units: rated,
    matched: allOf(new Map(found.map((term) => [term, 1])), inTitle, inText),
    source,
  };
}

/** The numbers, days and months of the question that a unit has in a range, or in another spelling. */
function withinRanges(
  { numbers, terms, asksWhether, dates, codes }: AskedQuestion,
  unit: Unit,
  language: string | null,
  askedIn: string | undefined,
): MatchedTerms {
  const words = terms.map(({ word }) => word);
  const within = new Set([
    ...numbersWithin(numbers, unit.text, { isRow: unit.kind === 'row', asksWhether }),
    ...datesWithin(words, askedIn, unit.text, language),
    ...wordsOfSameDates(dates, unit.text, codes),
  ]);
  return new Map(terms.filter(({ word }) => within.has(word)).map((term) => [term, 1]));
}

type Window = NonNullable<PassageText['windows']>[number];

const nearestWindow = ({ windows }: PassageText): Window | undefined =>
  windows?.reduce((best, one) => (one.toAsked > best.toAsked ? one : best));

/** The nearest of the windows that a unit is in. */
function nearness(windows: PassageText['windows'], { start, end }: Unit): Window | undefined {
  let best: Window | undefined;
  for (const window of windows ?? []) {
    if (window.start >= end || window.end <= start) continue;
    if (!best || window.toAsked > best.toAsked) best = window;
  }
  return best;
}

function shareOfGroups(text: string, asked: ReadonlySet<string>): number {
  if (asked.size === 0) return 0;
  let found = 0;
  for (const group of letterGroups(text)) if (asked.has(group)) found++;
  return found / asked.size;
}
