import { isStopWord } from '@latchkey/text/language/languages';
import { findSpelledNumbers } from '@latchkey/text/spelled-numbers';
import { CURRENCY, LETTER } from './currencies.js';
import { findUnitAtStart, findUnitKind } from './unit-names.js';

/** A number of a text with what it counts, in UTF-16 units: "£75", "30 working days", "14 characters". */
export interface Quantity {
  readonly start: number;
  readonly end: number;
  /** `asked` for a unit that is a word of the question, `none` for a number alone. */
  readonly unit: 'money' | 'time' | 'measure' | 'asked' | 'none';
}

/** Not a part of an identifier, a decimal or a date. */
const NUMBER = new RegExp(
  `(?<!${LETTER}[-_.]?|\\p{Nd}[.,:/]?|\\p{Nd}[’' \\u00a0\\u202f](?=\\p{Nd}{3}))(?:\\p{Nd}{1,3}(?:[ \\u00a0\\u202f.,'’]\\p{Nd}{3})+(?!\\p{Nd})(?:[.,]\\p{Nd}{1,2})?|\\p{Nd}+(?:[.,]\\p{Nd}+)?)(?!\\p{Nd}|[.,:/]\\p{Nd})`,
  'gu',
);
const WORD = /\p{L}[\p{L}\p{M}]*(?:-\p{L}[\p{L}\p{M}]*)*/gu;
const HAN_NUMBER = /(?<![第周週])[二三四五六七八九十百千万两兩][一二三四五六七八九十百千万]*/gu;
const WORD_BEHIND = /^(?:[ \u00a0\u202f]|-(?=\p{L}))?(\p{L}[\p{L}\p{M}]*\.?|[%‰°])/u;
/** "30 working days", "10 calendar days" */
const TWO_WORDS_BEHIND = /^[ \u00a0]\p{L}[\p{L}\p{M}]{3,14} (\p{L}[\p{L}\p{M}]*)/u;
const NEXT_WORD = /^ (\p{L}[\p{L}\p{M}]*)/u;
const HANGUL = /\p{scx=Hangul}/u;
const LETTER_BEHIND = new RegExp(`^${LETTER}`, 'u');
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hangul}\p{scx=Thai}]/u;
const WITHOUT_SPACES =
  /^ ?((?=\p{L})[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hangul}\p{scx=Thai}])/u;
/** Between the numbers of a range; the words are short in every language: "to", "bis", "а", "から". */
const BETWEEN = /^ ?(?:[-–—~〜～]|\p{L}{1,3}) ?$/u;
const YEAR = /^(?:1[5-9]|20)\d\d$/;
const MAX_NAME = 50;
/** A name of what the number identifies: "Room 12", "Artikel 7". */
const NAME_BEFORE = /(?:(?<word>(?<!\p{L})\p{Lu}[\p{L}\p{M}]{1,40})\.?|[§#№]) ?$/u;

/**
 * Finds the quantities of a sentence or cell; a range is one.
 *
 * @param language BCP 47
 * @param isAsked whether the question has a word, or a character of a script without spaces
 */
export function findQuantities(
  text: string,
  language: string | null,
  isAsked: (word: string) => boolean,
): Quantity[] {
  const money = [...text.matchAll(new RegExp(CURRENCY, 'gu'))].map(({ 0: sign, index }) => ({
    start: index,
    end: index + sign.length,
  }));
  const code = language?.split('-')[0];
  const spelled = [...text.matchAll(WORD)].filter(
    ([word]) => !UNSPACED.test(word) && findSpelledNumbers(word, code).length > 0,
  );
  const han = code === 'zh' || code === 'ja' ? text.matchAll(HAN_NUMBER) : [];
  const read = (start: number, end: number): Quantity => {
    const before = money.find((sign) => [start, start - 1].includes(sign.end));
    const after = money.find((sign) => [end, end + 1].includes(sign.start));
    if (before ?? after) {
      const [from, to] = [before?.start ?? start, before ? end : (after?.end ?? end)];
      return { start: from, end: to, unit: 'money' };
    }
    return { start, ...readUnit(text, end, language, isAsked) };
  };
  const written = [...text.matchAll(NUMBER)]
    .map(({ 0: number, index }) => read(index, index + number.length))
    // "3rd", "100S": what is written together with the number and is no unit makes it a name.
    .filter(({ end, unit }) => unit !== 'none' || !LETTER_BEHIND.test(text.slice(end)));
  const inWords = [...spelled, ...han]
    .map(({ 0: word, index }) => read(index, index + word.length))
    // In many languages such a word also means something else, and says a number only before a unit.
    .filter(({ unit }) => unit !== 'none');
  const all = [...written, ...inWords].sort((one, other) => one.start - other.start);
  return joinRanges(text, all).filter(
    (one) => (one.unit !== 'none' && one.unit !== 'asked') || isCount(text, one, language),
  );
}

function isCount(text: string, { start, end, unit }: Quantity, language: string | null): boolean {
  // Where no space is between them, a number counts what follows.
  const isOther = YEAR.test(text.slice(start, end)) || WITHOUT_SPACES.test(text.slice(end));
  if (unit === 'none' && isOther) return false;
  const name = NAME_BEFORE.exec(text.slice(Math.max(0, start - MAX_NAME), start));
  const word = name?.groups?.['word'];
  return !name || (word !== undefined && isStopWord(word.toLowerCase(), language));
}

function readUnit(
  text: string,
  end: number,
  language: string | null,
  isAsked: (word: string) => boolean,
): Omit<Quantity, 'start'> {
  const rest = text.slice(end, end + 60);
  const unspaced = WITHOUT_SPACES.exec(rest);
  if (unspaced) {
    const at = rest.startsWith(' ') ? 1 : 0;
    const found = findUnitAtStart(rest.slice(at), language);
    if (found) return { end: end + at + found.length, unit: found.kind };
    const character = unspaced[1] ?? '';
    const isUnit = (at === 0 || HANGUL.test(character)) && !isStopWord(character, language);
    return isUnit && isAsked(character)
      ? { end: end + unspaced[0].length, unit: 'asked' }
      : { end, unit: 'none' };
  }
  for (const pattern of [WORD_BEHIND, TWO_WORDS_BEHIND]) {
    const found = pattern.exec(rest);
    const word = found?.[1] ?? '';
    const unit = word === '' ? undefined : findUnitKind(word, language);
    const isAskedFor = pattern === WORD_BEHIND && word !== '' && isAsked(word);
    if (!found || (!unit && !isAskedFor)) continue;
    // A full stop may end the sentence.
    let { length } = found[0].replace(/\.$/, '');
    // "four charter schools"
    for (
      let next;
      !unit && (next = NEXT_WORD.exec(rest.slice(length))) && isAsked(next[1] ?? '');
    ) {
      length += next[0].length;
    }
    return { end: end + length, unit: isAskedFor && !unit ? 'asked' : (unit ?? 'none') };
  }
  return { end, unit: 'none' };
}

function joinRanges(text: string, quantities: readonly Quantity[]): Quantity[] {
  const joined: Quantity[] = [];
  for (const one of quantities) {
    const before = joined.at(-1);
    if (before && one.start < before.end) continue;
    const isRange =
      before &&
      BETWEEN.test(text.slice(before.end, one.start)) &&
      (before.unit === 'none' || before.unit === one.unit);
    if (isRange) joined.pop();
    joined.push(isRange ? { ...one, start: before.start } : one);
  }
  return joined;
}
