import { foldLetters, foldText, normalizeText } from '@latchkey/text/fold-text';
import { tokenize } from '@latchkey/text/tokenize';

/** A day of the calendar, as a text writes it. */
export interface WrittenDate {
  /** Undefined where it has none. */
  readonly year: number | undefined;
  /** From 1 on. */
  readonly month: number;
  readonly day: number;
  /** The words that it is written with, folded. */
  readonly words: readonly string[];
}

const [DAY, MONTH_NUMBER, YEAR] = ['(?<day>\\d{1,2})', '(?<month>\\d{1,2})', '(?<year>\\d{4})'];
const NAME = '(?<name>\\p{L}[\\p{L}\\p{M}]{1,20})\\.?';
/** "9 de febrero", "9th of February", "9 февраля" */
const SMALL_WORD = '(?:\\p{L}{1,3} )?';
const FORMS = [
  `${YEAR}(?<between>[-/.]) ?${MONTH_NUMBER}\\k<between> ?${DAY}`,
  `${YEAR} ?[年년] ?${MONTH_NUMBER} ?[月월] ?${DAY} ?[日일]`,
  `(?<![年년] ?)${MONTH_NUMBER} ?[月월] ?${DAY} ?[日일]`,
  `${DAY}(?<between>[-/.]) ?${MONTH_NUMBER}\\k<between> ?(?<year>\\d{4}|\\d{2})`,
  `${DAY}(?:\\.|º|\\p{L}{1,2})?[ -]${SMALL_WORD}${NAME}(?:,?[ -]${SMALL_WORD}${YEAR})?`,
  `(?<!\\p{L})${NAME} ${DAY}(?:\\p{L}{2})?(?:,? ${YEAR})?`,
].map((form) => new RegExp(`(?<![\\d.,-])${form}(?![\\d])`, 'gu'));
const LAST_MONTH = 12;
const LAST_DAY = 31;

const MIN_ABBREVIATED = 3;

type MonthNames = ReadonlyMap<string, number>;
const namesByLanguage = new Map<string, MonthNames>();

/**
 * Finds the dates in a text. The form 3/4/2026 gives two, since either number may be the month.
 *
 * @param codes of the languages that the names of months may be in, without region
 */
export function findDates(text: string, codes: readonly string[]): WrittenDate[] {
  const normalized = normalizeText(text);
  const found = FORMS.flatMap((form) => [...normalized.matchAll(form)]);
  return found.flatMap(({ 0: written, groups = {} }): WrittenDate[] => {
    const { name, between } = groups;
    const words = tokenize(written).map(foldLetters);
    const year = groups['year'] === undefined ? undefined : toYear(groups['year']);
    const day = Number(groups['day']);
    const month = name === undefined ? Number(groups['month']) : findMonth(name, codes);
    const read = { year, month: month ?? 0, day, words };
    return [read, ...(between === '/' ? [{ ...read, month: day, day: read.month }] : [])].filter(
      (date) =>
        date.month >= 1 && date.month <= LAST_MONTH && date.day >= 1 && date.day <= LAST_DAY,
    );
  });
}

/** Finds the words of the asked dates that a text has too, in whatever spelling. */
export function findWordsOfSameDates(
  asked: readonly WrittenDate[],
  text: string,
  codes: readonly string[],
): string[] {
  if (asked.length === 0) return [];
  const named = findDates(text, codes);
  return asked
    .filter(({ year, month, day }) =>
      named.some(
        (one) =>
          one.month === month && one.day === day && (year === undefined || one.year === year),
      ),
    )
    .flatMap(({ words }) => words);
}

const CENTURY = 2000;

const toYear = (digits: string): number =>
  digits.length === 2 ? CENTURY + Number(digits) : Number(digits);

/** The month, from 1 on, that a word names in one of the languages. */
export function findMonth(name: string, codes: readonly string[]): number | undefined {
  // Hebrew writes "in" together with the name.
  const folded = foldText(name).replace(/^ב(?=\p{Script=Hebrew}{3})/u, '');
  for (const code of codes) {
    const names = getMonthNames(code);
    const month = names.get(folded) ?? findAbbreviated(folded, names);
    if (month !== undefined) return month;
  }
  return undefined;
}

/** "Sept" is the beginning of one month alone. */
function findAbbreviated(name: string, names: MonthNames): number | undefined {
  if (name.length < MIN_ABBREVIATED) return undefined;
  const months = [...names].filter(([one]) => one.startsWith(name)).map(([, month]) => month);
  return new Set(months).size === 1 ? months[0] : undefined;
}

/** The names of months in a language, alone and in the form within a date: "luty", "9 lutego". */
function getMonthNames(code: string): MonthNames {
  const known = namesByLanguage.get(code);
  if (known) return known;
  const names = new Map<string, number>();
  for (const month of ['long', 'short'] as const) {
    for (const options of [{ month }, { month, day: 'numeric' as const }]) {
      const format = new Intl.DateTimeFormat(code, { ...options, timeZone: 'UTC' });
      for (let index = 0; index < LAST_MONTH; index++) {
        const parts = format.formatToParts(Date.UTC(2024, index, 1));
        const written = parts.find(({ type }) => type === 'month')?.value ?? '';
        names.set(foldText(written).replace(/\.$/, '').trim(), index + 1);
      }
    }
  }
  namesByLanguage.set(code, names);
  return names;
}
