import { foldText } from '@latchkey/text/fold-text';
import { isStopWord } from '@latchkey/text/language/languages';
import { toIntlCode } from './calendar-names.js';

const TIMES = 'second minute hour day week month year'.split(' ');
const MEASURES = (
  'percent celsius degree millimeter centimeter meter kilometer inch foot mile kilometer-per-hour ' +
  'gram kilogram ounce pound milliliter liter byte kilobyte megabyte gigabyte terabyte'
).split(' ');
/** A shorter name has no endings: "min" is not the beginning of "minor". */
const MIN_DECLINED = 4;
const MAX_ENDING = 2;

interface UnitNames {
  /** Folded: "day", "days", "d". */
  readonly times: ReadonlySet<string>;
  readonly measures: ReadonlySet<string>;
}

/** The names of a unit for one, two and five, for which Slavic languages have three forms. */
export function listUnitNames(
  unit: string,
  code: string,
  unitDisplay: 'long' | 'short' | 'narrow' = 'long',
): string[] {
  const format = new Intl.NumberFormat(code, { style: 'unit', unit, unitDisplay });
  const parts = [1, 2, 5].flatMap((count) => format.formatToParts(count));
  return parts.filter(({ type }) => type === 'unit').map(({ value }) => value.toLowerCase());
}

const namesByLanguage = new Map<string, UnitNames>();

/**
 * What a word behind a number measures, in any of its forms: "days", "Werktagen", "kg"; undefined if it is no unit.
 *
 * @param language BCP 47
 */
export function findUnitKind(
  word: string,
  language: string | null,
): 'time' | 'measure' | undefined {
  // "7 à 10": the name of some units is a single letter.
  if (word.length === 1 && isStopWord(word.toLowerCase(), language)) return undefined;
  const { times, measures } = getUnitNames(language);
  const folded = foldText(word);
  if (hasName(folded, times)) return 'time';
  return word === '%' || hasName(folded, measures) ? 'measure' : undefined;
}

/** The longest name of a unit that a text without spaces between words begins with. */
export function findUnitAtStart(
  text: string,
  language: string | null,
): { readonly length: number; readonly kind: 'time' | 'measure' } | undefined {
  const { times, measures } = getUnitNames(language);
  const letters = /^[\p{L}\p{M}]{1,8}/u.exec(text)?.[0] ?? '';
  for (let { length } = letters; length > 0; length--) {
    const name = foldText(text.slice(0, length));
    if (times.has(name)) return { length, kind: 'time' };
    if (measures.has(name)) return { length, kind: 'measure' };
  }
  return undefined;
}

/** Languages decline names and compose words with them. */
function hasName(word: string, names: ReadonlySet<string>): boolean {
  if (word === '') return false;
  if (names.has(word)) return true;
  for (const name of names) {
    if (name.length < MIN_DECLINED) continue;
    const isDeclined =
      word.startsWith(name.slice(0, Math.max(MIN_DECLINED - 1, name.length - 2))) &&
      word.length <= name.length + MAX_ENDING;
    const at = word.lastIndexOf(name);
    if (isDeclined || (at >= 0 && word.length - at - name.length <= MAX_ENDING)) return true;
  }
  return false;
}

function getUnitNames(language: string | null): UnitNames {
  const code = toIntlCode(language) ?? 'en';
  const known = namesByLanguage.get(code);
  if (known) return known;
  const list = (units: readonly string[]) =>
    new Set(
      units.flatMap((unit) =>
        (['long', 'short', 'narrow'] as const).flatMap((display) =>
          listUnitNames(unit, code, display).map(foldText),
        ),
      ),
    );
  const names = { times: list(TIMES), measures: list(MEASURES) };
  namesByLanguage.set(code, names);
  return names;
}
