import { foldText } from '@latchkey/text/fold-text';

type Part = 'weekday' | 'month';
type Length = 'long' | 'short';

const MONDAY = Date.UTC(2024, 0, 1);
const DAY = 86_400_000;
const DATES: Readonly<Record<Part, readonly Date[]>> = {
  weekday: Array.from({ length: 7 }, (_, day) => new Date(MONDAY + day * DAY)),
  month: Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, 1))),
};

/**
 * The days of the week from Monday on, or the months, folded.
 *
 * @param code of a language, without region
 */
export function listCalendarNames(code: string, part: Part, length: Length): string[] {
  const format = new Intl.DateTimeFormat(code, { [part]: length, timeZone: 'UTC' });
  // Portuguese leaves out "-feira".
  return DATES[part].map((date) => foldText(format.format(date)).replace(/ feira$/, ''));
}

/** The code of a language without region; undefined for what is none. */
export const toLanguageCode = (language: string | null | undefined): string | undefined =>
  /^[a-z]{2,3}(?![a-z])/.exec(language ?? '')?.[0];

/**
 * Whether two languages are known and differ, whatever their regions.
 *
 * @param one BCP 47, as `other`
 */
export function isOtherLanguage(
  one: string | null | undefined,
  other: string | null | undefined,
): boolean {
  const [code, otherCode] = [toLanguageCode(one), toLanguageCode(other)];
  return code !== undefined && otherCode !== undefined && code !== otherCode;
}

/**
 * The code of a language that `Intl` has words for, without region; undefined for others, whose words would be
 * those of the host's language.
 */
export function toIntlCode(language: string | null | undefined): string | undefined {
  const code = toLanguageCode(language);
  const isKnown = code !== undefined && Intl.NumberFormat.supportedLocalesOf(code).length > 0;
  return isKnown ? code : undefined;
}
