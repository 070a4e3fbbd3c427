import { foldText, normalizeText } from '@latchkey/text/fold-text';
import { withoutCitations } from './citations.js';
import type { ModelPassage } from './prompt.js';

/** `14`, `10:30`, `1,250.00`, `1 250`: only groups of three are separated by a space. */
const NUMBER = /\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?!\d)|\d+(?:[.,:]\d+)*/g;
const FRACTION = /[.,:](\d{1,2})$/;
/** `1.` or `2)` before an item of a list. */
const ITEM_NUMBER = /^[ \t]*\d{1,2}[.)](?=\s)/gm;
const QUOTATION = /“([^”“]+)”|"([^"]+)"|„([^“”„]+)[“”]|«([^»«]+)»|「([^」「]+)」|『([^』『]+)』/g;
/** Shorter ones are single words in quotation marks, such as the name of a button. */
const MIN_QUOTED_CHARACTERS = 4;
/** A capitalised word within a sentence. */
const CAPITALISED = /(?<=[\p{Ll}\p{N},;)] )\p{Lu}[\p{L}\p{M}\p{N}'’-]+/gu;
/** German capitalises all nouns, so that a capital letter says nothing of names. */
const GERMAN =
  /(?<!\p{L})(?:und|oder|ist|sind|nicht|eine[mnrs]?|für|wird|werden|durch|kann|können)(?!\p{L})/iu;
/** An answer of which the passages have fewer of the words is in another language than they are. */
const MIN_SHARED_WORDS = 0.2;
/** Letters that an ending may add to a name, such as `Kestrels` or `Kestrel’s`. */
const MAX_ENDING = 2;
const MIN_STEM = 3;

/**
 * Whether each number, name and quotation of an answer is in one of the passages that it cites. It
 * compares how they are written: `fourteen` is not found as `14`. Names are compared only in the
 * language of the passages.
 */
export function isGrounded(answer: string, cited: readonly ModelPassage[]): boolean {
  const text = withoutCitations(answer).replace(ITEM_NUMBER, ' ');
  const passages = cited
    .flatMap(({ documentTitle, heading, ...texts }) => [
      documentTitle,
      heading,
      texts.before,
      texts.text,
      texts.after,
    ])
    .join('\n');
  const numbers = new Set(numbersIn(passages));
  const folded = ` ${foldText(passages)} `;
  return (
    numbersIn(text).every((number) => numbers.has(number)) &&
    quotationsIn(text).every((quotation) => folded.includes(foldText(quotation))) &&
    namesIn(text, folded).every((name) => hasWord(folded, name))
  );
}

/** In one form: `1,250.00`, `1.250` and `1 250` are `1250`, and `08:30` is `8.3`. */
const numbersIn = (text: string): string[] =>
  (normalizeText(text).match(NUMBER) ?? []).map((number) => {
    const [separated = '', fraction = ''] = FRACTION.exec(number) ?? [];
    const whole = number.slice(0, number.length - separated.length).replace(/\D/g, '');
    const rest = fraction.replace(/00?$/, '');
    return whole.replace(/^0+(?=\d)/, '') + (rest === '' ? '' : `.${rest}`);
  });

const quotationsIn = (text: string): string[] =>
  [...text.matchAll(QUOTATION)]
    .map((groups) => groups.slice(1).find(Boolean) ?? '')
    .filter((quotation) => Array.from(quotation).length >= MIN_QUOTED_CHARACTERS);

function namesIn(text: string, folded: string): string[] {
  const words = foldText(text).split(' ');
  const shared = words.filter((word) => folded.includes(` ${word} `)).length;
  if (GERMAN.test(text) || shared < MIN_SHARED_WORDS * words.length) return [];
  return [...new Set(text.match(CAPITALISED))];
}

function hasWord(folded: string, name: string): boolean {
  const word = foldText(name);
  const stem = word.slice(0, Math.max(MIN_STEM, word.length - MAX_ENDING));
  return folded.includes(` ${stem}`);
}
