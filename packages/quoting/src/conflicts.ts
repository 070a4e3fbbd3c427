import { computeSimilarity, readWords } from '@latchkey/ranking/editions';
import type { QuotablePassage } from './reading.js';
import type { Span } from './spans.js';
import type { RatedUnit } from './unit-features.js';

type Named = Pick<QuotablePassage, 'title' | 'heading' | 'document' | 'date'>;
type FindValue = (unit: RatedUnit) => string | undefined;

/** Of the words of two sentences that answer alike. */
const MIN_SIMILARITY = 0.6;
const NUMBER = /\p{Nd}+(?:[.,:]\p{Nd}+)*/gu;

/** A quoted passage with the value that is asked for. */
interface Valued extends Named {
  readonly passage: number;
  readonly value: string;
  readonly unit: RatedUnit;
}

/**
 * The passages of different documents that say the same with another value, those of newer documents first. Another
 * wording may be about something else, and so may a document of which another part of the title is exchanged:
 * "Prices Austria" does not contradict "Prices Norway".
 */
export function findConflicts(
  spans: readonly Span[],
  passages: readonly Named[],
  question: string,
  findValue: FindValue,
): readonly number[] {
  const valued = listValued(spans, passages, findValue);
  const asked = readWords(question);
  const contradicts = (one: Valued) =>
    valued.some(
      (other) =>
        other.document !== one.document &&
        toComparable(other.value) !== toComparable(one.value) &&
        maskNumbers(other.unit.text) === maskNumbers(one.unit.text) &&
        mayBeAboutTheSame(one, other, asked),
    );
  return valued
    .filter(contradicts)
    .sort((one, other) => compareDates(other.date, one.date))
    .map(({ passage }) => passage);
}

/**
 * The passages of documents of different days that answer alike with another value, those of newer documents first. If
 * the question names the document of one of them and not that of the other, the date does not matter.
 */
export function findDatedAlike(
  spans: readonly Span[],
  passages: readonly Named[],
  question: string,
  findValue: FindValue,
): readonly number[] {
  const asked = readWords(question);
  const valued = listValued(spans, passages, findValue).map((one) => ({
    ...one,
    words: readWords(one.unit.text),
    asked: countShared(readWords(`${one.title} ${one.heading ?? ''}`), asked),
  }));
  return valued
    .filter((one) =>
      valued.some(
        (other) =>
          other.document !== one.document &&
          compareDates(other.date, one.date) !== 0 &&
          other.asked === one.asked &&
          toComparable(other.value) !== toComparable(one.value) &&
          computeSimilarity(other.words, one.words) >= MIN_SIMILARITY,
      ),
    )
    .sort((one, other) => compareDates(other.date, one.date))
    .map(({ passage }) => passage);
}

/** Moves passages to the place of the first of them, in their order. */
export function sortAs(spans: readonly Span[], order: readonly number[]): readonly Span[] {
  const first = spans.findIndex(({ passage }) => order.includes(passage));
  if (first < 0) return spans;
  const isOne = ({ passage }: Span) => order.includes(passage);
  return [
    ...spans.slice(0, first),
    ...order.flatMap((one) => spans.filter(({ passage }) => passage === one)),
    ...spans.slice(first).filter((span) => !isOne(span)),
  ];
}

/**
 * What to call the passages whose documents have different values for what is asked and are of different days:
 * the title of the document with its day.
 */
export function nameDatedValues(
  spans: readonly Span[],
  passages: readonly Named[],
  findValue: FindValue,
): ReadonlyMap<number, string> {
  const dated = listValued(spans, passages, findValue).flatMap(
    ({ passage, document, date, title, value }) =>
      date === undefined
        ? []
        : [{ passage, document, date, value, name: nameDated({ title, date }) }],
  );
  const differs = (one: (typeof dated)[number]) =>
    dated.some(
      ({ document, date, value }) =>
        document !== one.document && date !== one.date && value !== one.value,
    );
  return new Map(dated.filter(differs).map(({ passage, name }) => [passage, name]));
}

/** The title of a document with its day. */
export const nameDated = (named: Pick<Named, 'title' | 'date'> | undefined): string =>
  [named?.title, named?.date].filter(Boolean).join(', ');

const listValued = (
  spans: readonly Span[],
  passages: readonly Named[],
  findValue: FindValue,
): Valued[] =>
  spans.flatMap(({ passage, units }) => {
    const named = passages[passage];
    if (named?.document === undefined) return [];
    const unit = units.find((one) => findValue(one) !== undefined);
    const value = unit && findValue(unit);
    return unit && value !== undefined ? [{ ...named, passage, unit, value }] : [];
  });

/** Whether neither title has a word in the place of one of the other, or they share none and one is about the question. */
function mayBeAboutTheSame(one: Named, other: Named, asked: ReadonlySet<string>): boolean {
  const [own, others] = [one, other].map(({ title, heading }) => ({
    title: readWords(title),
    heading: readWords(heading ?? ''),
  }));
  if (!own || !others || isExchanged(own.heading, others.heading)) return false;
  const isShared = [...own.title].some((word) => others.title.has(word));
  const isAbout = (words: ReadonlySet<string>) => [...words].some((word) => asked.has(word));
  if (isShared) return !isExchanged(own.title, others.title);
  return (
    own.title.size === 0 || others.title.size === 0 || isAbout(own.title) !== isAbout(others.title)
  );
}

const countShared = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  [...one].filter((word) => other.has(word)).length;

/** Whether each has a word that the other has not. */
const isExchanged = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...one].some((word) => !other.has(word)) && [...other].some((word) => !one.has(word));

const maskNumbers = (text: string): string =>
  text.replace(NUMBER, '0').toLowerCase().replace(/\s+/gu, ' ').trim();

/** 1,000 and 1000 are the same. */
const toComparable = (value: string): string => value.replace(/[\s.,]+/gu, '').toLowerCase();

/** Of equal beginnings the more precise date is not newer: 2025 may be any day of 2025-03. */
function compareDates(one = '', other = ''): number {
  const length = Math.min(one.length, other.length);
  const [begin, otherBegin] = [one.slice(0, length), other.slice(0, length)];
  return begin < otherBegin ? -1 : begin > otherBegin ? 1 : 0;
}
