import { isStopWord } from '@latchkey/text/language/languages';
import { toIntlCode } from './calendar-names.js';
import { isCalendarName } from './calendar-ranges.js';
import { BETWEEN } from './number-ranges.js';
import { findMonth } from './same-dates.js';
import { findTimeWords } from './time-words.js';
import type { Quantity } from './written-quantities.js';

type Place = Pick<Quantity, 'start' | 'end'>;

const DATES = [
  '\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}',
  '\\d{1,2}([-/.]) ?\\d{1,2}\\1 ?(?:\\d{4}|\\d{2})?',
  '\\d{4} ?[年년](?: ?\\d{1,2} ?[月월](?: ?\\d{1,2} ?[日일])?)?',
  '\\d{1,2} ?[月월](?: ?\\d{1,2} ?[日일])?',
  '(?:1[5-9]|20)\\d\\d',
].map(
  (form) =>
    new RegExp(
      `(?<![\\d.,:/-]|\\p{Sc} ?)(?:${form})(?![\\d/\\p{Script=Latin}]|[.,:]\\d| ?[\\p{Sc}%])`,
      'gu',
    ),
);
const WORD = /\p{L}[\p{L}\p{M}]*/gu;
/** What belongs to the name of a month: "9 de febrero de 2026", "March 3rd, 2026", "2026. február 9." */
const BEFORE_MONTH =
  /(?:(?<!\d)\d{4}\. )?(?<![\d.,:])(?:\d{1,2}(?:\.|º|ª|\p{L}{1,2})?[ -](?:\p{L}{1,3} )?)?$/u;
const BEHIND_MONTH =
  /^\.?(?:[ -](?:\p{L}{1,3} )?\d{1,2}(?:\.|\p{L}{2})?(?![\d:.]))?(?:,?[ -](?:\p{L}{1,3} )?\d{4}(?!\d))?/u;
/** A shorter name of a day or month is also another word. */
const MIN_NAME = 4;
const MARKS = /[\s,(–-]/gu;
const CAPITAL = /^\p{Lu}/u;
const capitalizing = new Map<string, boolean>();
const MAX_CONNECTION = 16;
const HOUR_BEFORE = /(?<![\d.,:])\d{1,2}(?:[:.]\d{2})?(?<between>[^\d]{1,6})$/u;
const clocks = new Map<string, RegExp>();

/**
 * Finds the times of a sentence or cell: dates, times of day, days of the week, periods; those that belong
 * together are one, as "Monday to Friday from 9:00 to 17:00".
 *
 * @param language BCP 47
 * @param quantities of the text
 */
export function findTimes(
  text: string,
  language: string | null,
  quantities: readonly Quantity[],
): Place[] {
  const code = toIntlCode(language) ?? 'en';
  const isFree = (place: Place, taken: readonly Place[]) =>
    !taken.some((one) => one.start < place.end && place.start < one.end);
  const counted = quantities.filter(({ unit }) => unit !== 'time' && unit !== 'none');
  // The unit that is asked for may be the hour: "9時".
  const measured = counted.filter(({ unit }) => unit !== 'asked');
  const dates = [
    ...DATES.flatMap((form) => [...text.matchAll(form)].map(toPlace)).filter((place) =>
      isFree(place, counted),
    ),
    ...findClockTimes(text, code).filter((place) => isFree(place, measured)),
  ];
  const days = findMonths(text, code);
  const periods = quantities.filter(
    (one) => one.unit === 'time' && isFree(one, [...dates, ...days]),
  );
  const words = [
    ...findTimeWords(text, language).map(([start, end]): Word => ({ start, end })),
    ...findCalendarNames(text, code),
  ].filter((word) => isFree(word, periods) && isCapitalizedAsUsual(text, word, code));
  const joined = joinConnected(text, language, [...dates, ...days, ...words]);
  return [...joined, ...periods].sort((one, other) => one.start - other.start);
}

/** Where names of days have capital letters, "march" and "may" are no months. */
const isCapitalizedAsUsual = (text: string, { start, end }: Place, code: string): boolean =>
  !capitalizesDays(code) ||
  !isCalendarName(text.slice(start, end), code) ||
  CAPITAL.test(text.slice(start));

function capitalizesDays(code: string): boolean {
  const known = capitalizing.get(code);
  if (known !== undefined) return known;
  const capitalizes = CAPITAL.test(new Intl.DateTimeFormat(code, { weekday: 'long' }).format(0));
  capitalizing.set(code, capitalizes);
  return capitalizes;
}

interface Word extends Place {
  /** Whether it is so short that it may be another word: "Sa", "may". */
  readonly isShort?: boolean;
}

/** Joins what belongs together; a short name counts only beside another time. */
function joinConnected(text: string, language: string | null, places: readonly Word[]): Place[] {
  const joined: Word[] = [];
  for (const place of places.toSorted(
    (one, other) => one.start - other.start || other.end - one.end,
  )) {
    const before = joined.at(-1);
    if (before && isConnected(text.slice(before.end, place.start), language)) {
      joined[joined.length - 1] = {
        start: before.start,
        end: Math.max(before.end, place.end),
        isShort: before.isShort === true && place.start < before.end,
      };
    } else joined.push(place);
  }
  return joined.filter(({ isShort }) => isShort !== true);
}

const toPlace = ({ 0: found, index }: RegExpExecArray): Place => ({
  start: index,
  end: index + found.trimEnd().length,
});

/** Whether only small words and marks stand between two times; nothing where they overlap. */
function isConnected(between: string, language: string | null): boolean {
  if (between.length > MAX_CONNECTION) return false;
  if (BETWEEN.test(between)) return true;
  const words = between.match(WORD) ?? [];
  return (
    words.length <= 2 &&
    words.every((word) => isStopWord(word.toLowerCase(), language)) &&
    between.replace(WORD, '').replace(MARKS, '') === ''
  );
}

/** The names of days and months that stand in a text as words. */
const findCalendarNames = (text: string, code: string): Word[] =>
  [...text.matchAll(WORD)]
    .filter(([word]) => isCalendarName(word, code))
    .map(({ 0: word, index }) => {
      return { start: index, end: index + word.length, isShort: word.length < MIN_NAME };
    });

/** The months with their days and years. */
function findMonths(text: string, code: string): Place[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    if (findMonth(word, [code]) === undefined) return [];
    const before = BEFORE_MONTH.exec(text.slice(Math.max(0, index - 20), index))?.[0] ?? '';
    const behind = BEHIND_MONTH.exec(text.slice(index + word.length))?.[0] ?? '';
    if (!/\d/.test(before + behind)) return [];
    const end = index + word.length + (/\d/.test(behind) ? behind.length : 0);
    return [{ start: index - before.length, end }];
  });
}

/** The times of day; of a range also the first hour: "8 bis 17 Uhr". */
const findClockTimes = (text: string, code: string): Place[] =>
  [...text.matchAll(getClock(code))].map((found) => {
    const { start, end } = toPlace(found);
    const hour = HOUR_BEFORE.exec(text.slice(Math.max(0, start - 12), start));
    const isRange = hour && BETWEEN.test(hour.groups?.['between'] ?? '');
    return { start: isRange ? start - hour[0].length : start, end };
  });

/** Times of day as a language writes them: "15:30", "8 Uhr", "9 a.m.", 午後3時. */
function getClock(code: string): RegExp {
  const known = clocks.get(code);
  if (known) return known;
  const half = listParts(code, { hour: 'numeric', hour12: true });
  const whole = listParts(code, { hour: 'numeric', hour12: false });
  const minutes = listParts(code, { hour: 'numeric', minute: 'numeric' });
  const periods = half.filter(({ type }) => type === 'dayPeriod').map(({ value }) => value);
  const isBefore = half.find(({ type }) => type !== 'literal')?.type === 'dayPeriod';
  const period = [...new Set(['AM', 'PM', ...periods])].map(toPattern).join('|');
  const hour = [...half, ...whole].find(
    ({ type, value }) => type === 'literal' && /\p{L}/u.test(value),
  );
  const point = minutes.some(({ type, value }) => type === 'literal' && value === '.') ? '.' : '';
  const name = hour ? `|${toPattern(hour.value.trim())}` : '';
  const time = `\\d{1,2}[:：h${point}]\\d{2}(?!\\d)`;
  const pattern = new RegExp(
    [
      `${isBefore ? `(?:(?:${period}) ?)?` : ''}(?<!\\d|\\d[.:])(?:${time}|\\d{1,2}[.h]?\\d{0,2}(?= ?(?:${period}${name})(?!\\p{Script=Latin})))(?: ?(?:${period}${name})(?!\\p{Script=Latin}))?`,
      ...(hour ? [] : [`(?<!\\d)\\d{1,2}h(?!\\p{L})`]),
    ].join('|'),
    'giu',
  );
  clocks.set(code, pattern);
  return pattern;
}

const listParts = (code: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormatPart[] =>
  [1, 15].flatMap((hour) =>
    new Intl.DateTimeFormat(code, { ...options, timeZone: 'UTC' }).formatToParts(
      Date.UTC(2024, 0, 1, hour, 30),
    ),
  );

/** "PM" is also written "p.m." and "p. m.". */
const toPattern = (name: string): string =>
  /^\p{L}\.? ?\p{L}\.?$/u.test(name)
    ? `${[...name.replace(/[^\p{L}]/gu, '')].join('\\.? ?')}\\.?`
    : name.replace(/[.\\*+?^${}()|[\]]/g, '\\$&');
