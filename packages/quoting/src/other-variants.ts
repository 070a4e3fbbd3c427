import { withoutVariants } from '@latchkey/text/fold-text';
const NUMBER = '\\p{Nd}+(?:[.,]\\p{Nd}+)*';
/** The number or letter that distinguishes variants: "version 3", "Studio for 6", 区分E. */
const VALUE = `(?:${NUMBER}|(?!I)\\p{Lu})(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Nd}])`;
const GAP = '(?:[ \\u00a0-]?|[ \\u00a0]\\p{L}{1,3}[ \\u00a0])';
const NAMED = new RegExp(`(?<![\\p{L}\\p{M}])([\\p{L}\\p{M}]{2,60})(${GAP})(${VALUE})`, 'gu');
/** 五号线 */
const COUNTED =
  /(?<![一二三四五六七八九十百])([一二三四五六七八九十百]{1,9})([号號级級类類期章条條])/gu;
const HAN_OR_KANA = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u;

/**
 * Counts the variants that a question names and of which a text has only others: it has version 4 where the
 * question is about version 3, though the number 3 may stand elsewhere in it.
 *
 * @param isContent whether a word of the question says what it is about
 * @param within the numbers that lie within a range of the text: "berths 14 to 31" has berth 20
 */
export function countOtherVariants(
  question: string,
  text: string,
  isContent: (word: string) => boolean,
  within: ReadonlySet<string> = new Set(),
): number {
  let count = 0;
  const [asked, read] = [withoutVariants(question), withoutVariants(text)];
  for (const [, letters = '', , value = ''] of asked.matchAll(NAMED)) {
    const word = HAN_OR_KANA.test(letters) ? letters.slice(-2) : letters;
    if (!isContent(word) || within.has(value)) continue;
    const anyCase = [word, word.toLowerCase(), word.charAt(0).toUpperCase() + word.slice(1)];
    const pattern = new RegExp(
      `(?<!\\p{Script=Latin})(?:${anyCase.join('|')})${GAP}(${VALUE})`,
      'gu',
    );
    if (hasOnlyOthers(read, pattern, value)) count++;
  }
  for (const [, value = '', unit = ''] of asked.matchAll(COUNTED)) {
    const pattern = new RegExp(
      `(?<![一二三四五六七八九十百])([一二三四五六七八九十百]{1,9})${unit}`,
      'gu',
    );
    if (hasOnlyOthers(read, pattern, value)) count++;
  }
  return count;
}

function hasOnlyOthers(text: string, pattern: RegExp, value: string): boolean {
  const values = new Set([...text.matchAll(pattern)].map(([, one]) => one));
  return values.size > 0 && !values.has(value);
}
