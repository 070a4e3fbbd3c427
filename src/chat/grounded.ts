import { foldText, normalizeText } from '@latchkey/text/fold-text';
import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import { parseJson } from '@latchkey/text/parse-json';
import { findSpelledNumbers } from '@latchkey/text/spelled-numbers';
import { withoutCitations } from './citations.js';
import type { ModelPassage } from './prompt.js';

/** Matches `14`, `10:30`, `1,250.00` and `1 250`. Only groups of three digits are separated by a space. */
const NUMBER = /\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?!\d)|\d+(?:[.,:]\d+)*/g;
const FRACTION = /[.,:](\d{1,2})$/;
/** Matches `1.` or `2)` before an item of a list. */
const ITEM_NUMBER = /^[ \t]*\d{1,2}[.)](?=\s)/gm;
const QUOTATION =
  /[“”]([^”“]+)”|"([^"]+)"|„([^“”„]+)[“”]|«([^»«]+)»|»([^»«]+)«|‹([^›‹]+)›|›([^›‹]+)‹|(?<!\p{L})‘([^’‘]+)’(?!\p{L})|‚([^‘’‚]+)[‘’]|״([^״]+)״|「([^」「]+)」|『([^』『]+)』|《([^》《]+)》/gu;
/** Shorter quotations are single words, such as the name of a button. */
const MIN_QUOTED_CHARACTERS = 4;
/** Matches a capitalised word within a sentence. */
const CAPITALISED = /(?<=[\p{Ll}\p{N},;)] )\p{Lu}[\p{L}\p{M}\p{N}'’-]+/gu;
/** German capitalises all nouns, so a capital letter does not mark a name. */
const GERMAN =
  /(?<!\p{L})(?:und|oder|ist|sind|nicht|eine[mnrs]?|für|wird|werden|durch|kann|können)(?!\p{L})/iu;
/** If the passages contain fewer of the answer's words, they are in another language. */
const MIN_SHARED_WORDS = 0.2;
/** The number of letters that an ending may add to a name, such as `Kestrels`. */
const MAX_ENDING = 2;
/** The share of a name that inflection can change: `Helsinki`, `Helsingissä`. */
const ENDING_SHARE = 0.5;
const INFLECTING = /^(?:bg|cs|el|fi|hu|pl|ro|ru|tr|uk)$/;
const MIN_STEM = 3;
/** Smaller numbers in words often count the items that an answer lists: “there are two ways”. */
const MAX_COUNTED = 10;

/**
 * Whether an answer cites passages, and each of its numbers, names and quotations is in one of them. A number
 * may be spelled out in one of them and not in the other. Names are compared only if the answer is in the
 * language of the passages.
 */
export function isGrounded(answer: string, cited: readonly ModelPassage[]): boolean {
  if (cited.length === 0) return false;
  const text = withoutCitations(extractText(answer)).replace(ITEM_NUMBER, ' ');
  const language = detectQuestionLanguage(text);
  const texts = cited.map(({ documentTitle, heading, ...passage }) =>
    [documentTitle, heading, passage.before, passage.text, passage.after].join('\n'),
  );
  const passages = texts.join('\n');
  const numbers = new Set([
    ...findNumbers(passages),
    ...cited.flatMap((passage, position) =>
      findSpelledNumbers(texts[position] ?? '', passage.language ?? language).map(String),
    ),
  ]);
  const spelled = findSpelledNumbers(text, language).filter((number) => number > MAX_COUNTED);
  const folded = ` ${foldText(passages)} `;
  const ending = INFLECTING.test(language ?? '') ? ENDING_SHARE : 0;
  return (
    [...findNumbers(text), ...spelled.map(String)].every((number) => numbers.has(number)) &&
    findQuotations(text).every((quotation) => folded.includes(foldText(quotation))) &&
    findNames(text, folded).every((name) => hasWord(folded, name, ending))
  );
}

/** Extracts the texts of an answer in JSON, whose quotation marks do not quote anything. */
function extractText(answer: string): string {
  const json = answer.replace(/^\s*```\w*\n|```\s*$/g, '').trim();
  if (!json.startsWith('{')) return answer;
  try {
    return collectTexts(parseJson(json)).join('\n');
  } catch {
    return answer;
  }
}

const collectTexts = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(collectTexts)
      : [];

/** Finds numbers in one form: `1,250.00`, `1.250` and `1 250` are `1250`, and `08:30` is `8.3`. */
const findNumbers = (text: string): string[] =>
  (normalizeText(text).match(NUMBER) ?? []).map((number) => {
    const [separated = '', fraction = ''] = FRACTION.exec(number) ?? [];
    const whole = number.slice(0, number.length - separated.length).replace(/\D/g, '');
    const rest = fraction.replace(/00?$/, '');
    return whole.replace(/^0+(?=\d)/, '') + (rest === '' ? '' : `.${rest}`);
  });

const findQuotations = (text: string): string[] =>
  [...text.matchAll(QUOTATION)]
    .map((groups) => groups.slice(1).find(Boolean) ?? '')
    .filter((quotation) => Array.from(quotation).length >= MIN_QUOTED_CHARACTERS);

function findNames(text: string, folded: string): string[] {
  const words = foldText(text).split(' ');
  const shared = words.filter((word) => folded.includes(` ${word} `)).length;
  if (GERMAN.test(text) || shared < MIN_SHARED_WORDS * words.length) return [];
  return [...new Set(text.match(CAPITALISED))];
}

/** @param ending the share of a name that an ending may change */
function hasWord(folded: string, name: string, ending: number): boolean {
  // In `Kestrel’s`, `İstanbul’da` and `O’Brien` an apostrophe separates a name from its ending or
  // beginning.
  const parts = name.split(/['’]/).map(foldText);
  const word = parts.reduce((longest, part) => (part.length > longest.length ? part : longest));
  const cut = Math.max(MAX_ENDING, Math.floor(ending * word.length));
  return folded.includes(` ${word.slice(0, Math.max(MIN_STEM, word.length - cut))}`);
}
