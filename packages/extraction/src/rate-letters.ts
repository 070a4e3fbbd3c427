import { data as trigramsByScript } from 'franc/data.js';

export interface Writing {
  /** The script, by its name in Unicode. */
  readonly script: string;
  /** ISO 639-3 codes; empty if the spelling rules of the script tell more. */
  readonly languages: readonly string[];
}

export interface Rating {
  /** The sum over all non-ASCII characters: about 1.5 for each in the right encoding. */
  readonly sum: number;
  readonly characters: number;
}

/** Letters beside `a` to `z` that are too rare for frequent trigrams; Romanian had ş and ţ before Unicode 3. */
const LETTERS: Readonly<Record<string, string>> = {
  deu: 'äöüß',
  fra: 'àâçéèêëîïôùûüœ',
  spa: 'áéíñóúü',
  por: 'áâãàçéêíóôõú',
  ita: 'àèéìòù',
  nld: 'éèëïö',
  swe: 'åäöé',
  dan: 'æøåé',
  nob: 'æøåéò',
  fin: 'äöå',
  isl: 'áðéíóúýþæö',
  cat: 'àçèéíïòóúü',
  glg: 'áéíñóúü',
  pol: 'ąćęłńóśźż',
  ces: 'áčďéěíňóřšťúůýž',
  slk: 'áäčďéíĺľňóôŕšťúýž',
  hun: 'áéíóöőúüű',
  ron: 'ăâîșțşţ',
  hrv: 'čćđšž',
  slv: 'čšž',
  tur: 'âçğıîöşüû',
  lit: 'ąčęėįšųūž',
  lvs: 'āčēģīķļņšūž',
  ekk: 'äöõüšž',
};

/** Matches words with the signs in or beside them. */
const WORD = /[^\s\p{P}|<>=^`~\u00ad]+/gu;
const SOFT_HYPHEN = /\p{L}\u00ad\p{L}/gu;
const BEYOND_ASCII = /[^\0-\x7f]/u;
/** Signs that occur between words in any script. */
const USUAL_SIGN = /^[\d€£$°²³µ½¼¾§©®™±×¤¦¬¨¯´¸+]*[CFKmgl]?[\d²³]?$/u;
/** Signs in their usual place beside Latin letters and digits, where a wrong encoding seldom puts them. */
const SIGN_IN_PLACE = new RegExp(
  [
    // Apostrophes and quotation marks; in German, “ ‘ and « end a quotation.
    /(?<=[\p{L}\d])[’´](?=\p{L})|’(?=\d\d)|(?<=\S)[“”‘’›](?![\p{L}\d])|(?<![\p{L}\d])[“”„‘‚‹](?=\S)/u,
    /(?<=^|\s)’(?=[a-z]{1,3}\b)|(?<![\p{L}\d])[«»]|[«»](?![\p{L}\d])/u,
    // Dashes between words or numbers, ellipses, bullets.
    /(?<![\p{L}\d])[–—]|(?<=\d)[–—](?![\p{L}])|(?<=\p{L})–(?=[\p{Lu}\d])|(?<=\p{L}{3})–(?=\p{L}{3})|(?<=\p{L}{2})—(?=\p{L}{2})/u,
    /…(?!\p{L})|(?<!\p{L})…|(?<![\p{L}\d])[•·]|(?<=l)·(?=l)|(?<!\p{L})(?:¿(?=\p{L}[^¿]*\?)|¡(?=\p{L}[^¡]*!))/u,
    // Currency and legal signs.
    /(?<!\p{L})[€£¥¢](?![\p{L}”])|(?<=\b[kM])[€£]|[®™](?!\p{L})|©(?![\p{L}])|©(?=\p{Lu}\p{Ll})/u,
    // Measures, numbers and paragraphs.
    /(?<=\d\s?)°(?!\p{L}\p{L})|(?<=\b[nN])°|(?<=[\d.]|\b[nNMD])[ºª]|(?<=\d|\b[kcdm]?m)[²³](?!\p{L})/u,
    /(?<!\p{L})[½¼¾×÷§¶](?!\p{L})|(?<=^|[\s\d])[†‡](?!\p{L})|±(?=\s?\d)|(?<=\d\s?)(?:‰|µ(?=\p{L}))|(?<!\p{L})µ(?=[AFVWgmls]\b)/u,
    // Non-breaking spaces.
    /(?<=[\d\p{P}])\u00a0|\u00a0(?=[\d\s\p{P}\p{Lu}€£])|(?<=\p{L}{2})\u00a0(?=\p{L}{2})/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);
const SIGN_IN_PLACE_WEIGHT = 1.7;
/** Signs that are wrong in any other place, such as within a word. */
const SIGN_OUT_OF_PLACE = /[“”„‘’‚‹›«»–—…•†‡§¶¿¡]/gu;
const SIGN_WEIGHT = 0.5;
/** The weight of a trigram that is frequent in the language, relative to one of its letters. */
const TRIGRAM_WEIGHT = 2;
/** The weights of letters in correctly and in wrongly spelt words. */
const RIGHT_SPELLING = 1.8;
const WRONG_SPELLING = 0.4;

/** Rates how likely it is that a text is in its encoding. */
export function rateSingleByte(text: string, { script, languages }: Writing): Rating {
  const inPlace = text.match(SIGN_IN_PLACE)?.length ?? 0;
  const rest = text.replace(SIGN_IN_PLACE, ' ');
  const words = (rest.match(WORD) ?? []).filter((word) => BEYOND_ASCII.test(word));
  const characters = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  const own = new RegExp(`^[\\p{Script=${script}}\\p{M}]+$`, 'u');
  const read = words.filter((word) => own.test(word));
  const wrong = words
    .filter((word) => !own.test(word) && !USUAL_SIGN.test(word))
    .reduce((sum, word) => sum + countNonAscii(word), 0);
  if (script !== 'Latin' && read.length === 0) return { sum: 0, characters };
  // In real words, no capital follows a small letter, none begins with ð, and þ is seldom inside.
  const mixed = read.filter((word) => /\p{Ll}\p{Lu}|^ð|^Ð\p{Ll}|\p{L}þ/u.test(word));
  const mixedCase = mixed.reduce((sum, word) => sum + countNonAscii(word), 0);
  const spelt =
    languages.length === 0
      ? rateSpelling(read, script)
      : Math.max(...languages.map((language) => rateLanguage(read, script, language, languages)));
  const hyphens = rest.match(SOFT_HYPHEN)?.length ?? 0;
  const signs = words.filter((word) => USUAL_SIGN.test(word)).join('');
  const outOfPlace = rest.match(SIGN_OUT_OF_PLACE)?.length ?? 0;
  const signPoints =
    SIGN_IN_PLACE_WEIGHT * inPlace + SIGN_WEIGHT * (countNonAscii(signs) + hyphens) - outOfPlace;
  return { sum: spelt - wrong - mixedCase + signPoints, characters };
}

function rateLanguage(
  words: readonly string[],
  script: string,
  language: string,
  neighbours: readonly string[],
): number {
  const { letters, trigrams } = loadProfile(script, language);
  const known = new Set(neighbours.flatMap((each) => [...loadProfile(script, each).letters]));
  let sum = 0;
  for (const word of words) {
    const lower = word.toLowerCase();
    for (const letter of lower) {
      if (letter > '\x7f') sum += letters.has(letter) ? 1 : known.has(letter) ? 0 : -1;
    }
    // A single letter is a word in some language.
    if (word.length > 1)
      sum += TRIGRAM_WEIGHT * rateTrigrams(` ${lower} `, trigrams) * countNonAscii(word);
  }
  return sum;
}

function rateTrigrams(word: string, trigrams: ReadonlySet<string>): number {
  let found = 0;
  for (let at = 0; at + 3 <= word.length; at++) if (trigrams.has(word.slice(at, at + 3))) found++;
  return found / Math.max(1, word.length - 2);
}

/** Rates words by spelling rules for Greek accents and final letters, and for Thai vowels and tones. */
function rateSpelling(words: readonly string[], script: string): number {
  const isSpelt = SPELLINGS[script];
  return words.reduce((sum, word) => {
    const isRight = isSpelt?.test(word) === true && (word.match(GREEK_ACCENT)?.length ?? 0) <= 1;
    // A single letter cannot be misspelt.
    if (isRight && word.length === 1) return sum + 1;
    return sum + countNonAscii(word) * (isRight ? RIGHT_SPELLING : WRONG_SPELLING);
  }, 0);
}

const GREEK_ACCENT = /[άέήίόύώΐΰ]/gu;
const SPELLINGS: Readonly<Record<string, RegExp>> = {
  Greek: /^(?:[Α-ΩΆΈΉΊΌΎΏ]?[α-ρσ-ωϊϋάέήίόύώΐΰ]*[αεηιουωάέήίόύώνρς]|[Α-Ω]+)$/u,
  Thai: /^(?:[เ-ไ]?[ก-ฮ][ัิ-ฺ็]?[่-์]?[ะาำๅ]?|ๆ|ฯ)+$/u,
};

interface Profile {
  readonly letters: ReadonlySet<string>;
  readonly trigrams: ReadonlySet<string>;
}

const PROFILES = new Map<string, Profile>();

function loadProfile(script: string, language: string): Profile {
  let profile = PROFILES.get(language);
  if (!profile) {
    const trigrams = trigramsByScript[script]?.[language]?.split('|') ?? [];
    const letters = new Set([...trigrams.join(''), ...(LETTERS[language] ?? '')]);
    profile = { letters, trigrams: new Set(trigrams) };
    PROFILES.set(language, profile);
  }
  return profile;
}

const countNonAscii = (word: string): number => word.match(/[^\0-\x7f]/gu)?.length ?? 0;
