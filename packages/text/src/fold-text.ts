const MANY_MARKS = /(\p{M}{30})\p{M}+/gu;

/**
 * Leaves at most 30 combining marks on a character, which no language exceeds. Normalization sorts
 * the marks in quadratic time; Unicode's Stream-Safe Text Format sets the same limit.
 */
export const limitMarks = (text: string): string => text.replace(MANY_MARKS, '$1');

/** Raised digits and letters behind a number or a word, and lowered digits behind a number. */
const RAISED = /(?=[⁺⁻]?[⁰¹²³⁴-⁹])(?<=\p{Nd}|\p{L}{3})|(?=[ⁱⁿʰ-ʸˡ-ˣᵃ-ᵛᶜ-ᶻ₀-₉])(?<=\p{Nd})/gu;

/**
 * Replaces typographic variants of characters. An exponent or a note mark stays apart from its number or word:
 * 10⁶ is found by 10^6 and not by 106, 24¹ by 24.
 */
export const withoutVariants = (text: string): string =>
  text.replace(RAISED, '^').normalize('NFKC');

/** Characters that only shape a word: soft hyphen, joiners, direction marks, the Arabic tatweel. */
const SHAPING = /[\u00ad\u0640\u200c-\u200f\u2060\ufeff]/g;
const NOT_ASCII = /[^\0-\x7f]/;
const FOREIGN_DIGITS = /(?![0-9])\p{Nd}/gu;
const DIGIT = /\p{Nd}/u;

/**
 * Normalizes a text for tokenization: lower case, no typographic variants, digits of any script as 0 to 9.
 * Letters keep their accents, which stemmers and stop words need.
 *
 * @param locale of languages with lower-case letters of their own, such as Turkish
 */
export function normalizeText(text: string, locale?: string): string {
  const lowerCase = (some: string) =>
    locale === undefined ? some.toLowerCase() : some.toLocaleLowerCase(locale);
  if (!NOT_ASCII.test(text)) return lowerCase(text);
  return (
    lowerCase(withoutVariants(limitMarks(text)).replace(SHAPING, ''))
      // The lower case of a Turkish capital İ in other languages has a dot above the i.
      .replace(/i\u0307/g, 'i')
      // NFKC takes the Thai and Lao vowel AM apart, which the segmenter knows as one letter.
      .replace(/\u0e4d\u0e32/g, '\u0e33')
      .replace(/\u0ecd\u0eb2/g, '\u0eb3')
      .replace(FOREIGN_DIGITS, asciiDigit)
  );
}

/** Digits of a script are ten characters in a row; some rows follow each other directly. */
function asciiDigit(digit: string): string {
  const code = Number(digit.codePointAt(0));
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(code - before - 1))) before++;
  return String(before % 10);
}

/** Accents, Hebrew points, Arabic vowels, and the dot that some Indic letters are written without. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]|\u093c/g;
const VARIANTS: Readonly<Record<string, string>> = {
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ς: 'σ',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ې: 'ي',
  ک: 'ك',
  ة: 'ه',
  ھ: 'ه',
  ہ: 'ه',
  // Chandrabindu and anusvara are written for each other.
  'ँ': 'ं',
};
const VARIANT = new RegExp(Object.keys(VARIANTS).join('|'), 'gu');

/** Folds a normalized word for comparison: no accents, no letter variants. */
export const foldLetters = (word: string): string =>
  NOT_ASCII.test(word)
    ? word
        .normalize('NFKD')
        .replace(MARKS, '')
        .normalize('NFC')
        .replace(VARIANT, (letter) => VARIANTS[letter] ?? letter)
    : word;

/** Normalizes and folds a text for comparison; anything but letters and digits becomes one space. */
export const foldText = (text: string): string =>
  foldLetters(normalizeText(text))
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
