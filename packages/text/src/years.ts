import { normalizeText } from './fold-text.js';
import { detectQuestionLanguage } from './language/question-language.js';

/** Not a part of a code such as X2010; characters of scripts without spaces may stand beside it. */
const YEAR = /(?<![\p{Nd}\p{Script=Latin}])(?:19|20)\d\d(?![\p{Nd}\p{Script=Latin}])/gu;
const NOT_ASCII = /[^\0-\x7f]/;
const RELATIVE = [-1, 0];

/** The years that a text names, in digits of any script. */
export const findYears = (text: string): ReadonlySet<number> =>
  new Set(((NOT_ASCII.test(text) ? normalizeText(text) : text).match(YEAR) ?? []).map(Number));

/** The year that a question means by "this year" or "last year", as its language usually says it. */
export function findRelativeYear(question: string, now: Date): number | undefined {
  const language = detectQuestionLanguage(question);
  if (language === undefined || Intl.RelativeTimeFormat.supportedLocalesOf(language).length === 0) {
    return undefined;
  }
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const text = normalizeText(question);
  const years = RELATIVE.filter((years) => {
    const name = normalizeText(format.format(years, 'year'));
    // Where a language has no name for it, Intl says "in 0 years".
    return !/\p{Nd}/u.test(name) && text.includes(name);
  });
  return years.length === 1 ? now.getFullYear() + (years[0] ?? 0) : undefined;
}
