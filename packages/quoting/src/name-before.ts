import { isStopWord } from '@latchkey/text/language/languages';
import { toLanguageCode } from './calendar-names.js';
import type { RatedUnit } from './unit-features.js';

const FIRST_WORDS = /^\P{L}*([\p{L}\p{M}]+)\P{L}+([\p{L}\p{M}]+)/u;
const CAPITAL = /^\p{Lu}/u;
/** A sentence further before names another person. */
const MAX_BEFORE = 2;
/** Two words with capital letters, as names have. */
const FULL_NAME = /(?<!\p{L})\p{Lu}[\p{L}\p{M}'’-]+ \p{Lu}[\p{L}\p{M}'’-]+/u;

/**
 * Finds where to begin a quotation that answers "who", so that it names the person: "She bakes bread." follows
 * the sentence with her name.
 *
 * @param start the index of the first unit that is quoted
 * @param end the index behind the last one
 * @param language BCP 47, of the text
 */
export function startWithName(
  units: readonly RatedUnit[],
  [start, end]: readonly [start: number, end: number],
  language: string | null,
): number {
  const first = units[start];
  if (!first || !lacksName(units.slice(start, end), language)) return start;
  for (let index = start - 1; index >= start - MAX_BEFORE; index--) {
    const unit = units[index];
    if (unit?.block !== first.block || unit.kind === 'row') break;
    if (mayName(unit, first, language)) return index;
  }
  return start;
}

/** The heading that names the person where no sentence does. */
export const nameInHeading = (
  units: readonly RatedUnit[],
  heading: string,
  language: string | null,
): string | undefined =>
  FULL_NAME.test(heading) && lacksName(units, language) ? heading : undefined;

/** In German, nouns have capital letters as names do; a pronoun is followed by a verb, an article is not. */
function lacksName(units: readonly RatedUnit[], language: string | null): boolean {
  if (toLanguageCode(language) !== 'de')
    return units.every(({ features }) => features['type'] !== 1);
  const [, , second = ''] = FIRST_WORDS.exec(units[0]?.text ?? '') ?? [];
  return beginsWithStopWord(units[0], language) && !CAPITAL.test(second);
}

/** At the beginning of a sentence, a name looks like any other word; only a pronoun can be told from it. */
const mayName = (unit: RatedUnit, after: RatedUnit, language: string | null): boolean =>
  unit.features['type'] === 1 ||
  (beginsWithStopWord(after, language) && !beginsWithStopWord(unit, language));

function beginsWithStopWord(unit: RatedUnit | undefined, language: string | null): boolean {
  const [, first = ''] = FIRST_WORDS.exec(unit?.text ?? '') ?? [];
  return isStopWord(first.toLowerCase(), language);
}
