import { foldLetters, foldText, normalizeText } from '@latchkey/text/fold-text';
import { listCalendarNames, toIntlCode } from './calendar-names.js';

/** Separates the names of a range: "Mon–Fri", "dal lunedì al venerdì", "May to September". */
const BETWEEN =
  /^\.?(?:-feira)? ?(?:[-–—~/]|(?<= )(?:to|through|thru|until|till|til|bis|à|au|a|al|alla|até|tot|tot en met|t\/m|do|ile|sampai|hingga|đến|по|до|تا|إلى|الى|עד)(?= )) ?$/u;
const WORD = /\p{L}[\p{L}\p{M}]*/gu;
/** Languages decline longer names: "od poniedziałku do piątku". */
const MIN_DECLINED = 5;
const MIN_LONG = 6;
const MAX_ENDING = 3;

type Calendar = ReadonlyMap<string, number>;
const calendars = new Map<string, readonly Calendar[]>();

/**
 * Finds the words that name days or months within a range of a text: Wednesday in "Mon–Fri", July in "from
 * May to September".
 *
 * @param words folded, in `language` or that of the text
 */
export function findDatesWithin(
  words: readonly string[],
  language: string | undefined,
  text: string,
  textLanguage: string | null,
): string[] {
  const [own, other] = [toIntlCode(language), toIntlCode(textLanguage)];
  if (other === undefined) return [];
  const asked = getCalendars(own ?? other);
  return getCalendars(other).flatMap((calendar, index) => {
    const named = words.flatMap((word) => {
      const place = findPlace(word, asked[index]);
      return place === undefined ? [] : [{ word, place }];
    });
    if (named.length === 0) return [];
    const ranges = findRanges(text, calendar);
    return named
      .filter(({ place }) =>
        ranges.some(([from, to]) =>
          from <= to ? place >= from && place <= to : place >= from || place <= to,
        ),
      )
      .map(({ word }) => word);
  });
}

/**
 * Whether a word names a day of the week or a month, in any of its forms and also abbreviated.
 *
 * @param code of a language, without region
 */
export const isCalendarName = (word: string, code: string): boolean =>
  getCalendars(code).some((calendar) => findPlace(foldText(word), calendar) !== undefined);

function findRanges(text: string, calendar: Calendar): [from: number, to: number][] {
  const normalized = normalizeText(text);
  const words = [...normalized.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const place = findPlace(foldLetters(word), calendar);
    return place === undefined ? [] : [{ place, start: index, end: index + word.length }];
  });
  return words.slice(1).flatMap((to, index) => {
    const from = words[index];
    const isRange = from && BETWEEN.test(normalized.slice(from.end, to.start));
    return isRange ? [[from.place, to.place] satisfies [number, number]] : [];
  });
}

function findPlace(word: string, calendar: Calendar | undefined): number | undefined {
  const exact = calendar?.get(word);
  if (exact !== undefined) return exact;
  for (const [name, place] of calendar ?? []) {
    const isDeclined =
      name.length >= MIN_DECLINED &&
      word.startsWith(name.slice(0, name.length < MIN_LONG ? -1 : -2)) &&
      word.length < name.length + MAX_ENDING;
    if (isDeclined) return place;
  }
  return undefined;
}

function getCalendars(code: string): readonly Calendar[] {
  const known = calendars.get(code);
  if (known) return known;
  const made = (['weekday', 'month'] as const).map(
    (part) =>
      new Map(
        (['short', 'long'] as const).flatMap((length) =>
          // Hebrew calls each day "day …".
          listCalendarNames(code, part, length).map((name, place): [string, number] => [
            name.split(' ').at(-1) ?? name,
            place,
          ]),
        ),
      ),
  );
  calendars.set(code, made);
  return made;
}
