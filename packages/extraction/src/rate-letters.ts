import { data as trigramsByScript } from 'franc/data.js';

export interface Writing {
  /** As Unicode names it. */
  readonly script: string;
  /** As ISO 639-3; none where the rules of the script's spelling say more. */
  readonly languages: readonly string[];
}

export interface Rating {
  /** Of all characters beyond ASCII: about 1.5 for each where they are read right. */
  readonly sum: number;
  readonly characters: number;
}

/** Letters beside `a` to `z` that are too rare to be in frequent trigrams; ş and ţ are Romanian before Unicode 3. */
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

/** Words with the signs that stand in or beside them. */
const WORD = /[^\s\p{P}|<>=^`~\u00ad]+/gu;
const SOFT_HYPHEN = /\p{L}\u00ad\p{L}/gu;
const BEYOND_ASCII = /[^\0-\x7f]/u;
/** What a text of any script may have beside words. */
const USUAL_SIGN = /^[\d€£$°²³µ½¼¾§©®™±×¤¦¬¨¯´¸+]*[CFKmgl]?[\d²³]?$/u;
/** Signs that stand where they do beside Latin letters and digits: in another encoding, they are seldom there. */
const SIGN_IN_PLACE = new RegExp(
  [
    // Apostrophes and quotation marks; in German, “ ‘ and « end what is quoted.
    /(?<=[\p{L}\d])[’´](?=\p{L})|’(?=\d\d)|(?<=\S)[“”‘’›](?![\p{L}\d])|(?<![\p{L}\d])[“”„‘‚‹](?=\S)/u,
    /(?<=^|\s)’(?=[a-z]{1,3}\b)|(?<![\p{L}\d])[«»]|[«»](?![\p{L}\d])/u,
    // Dashes between words or numbers, dots that leave out, bullets.
    /(?<![\p{L}\d])[–—]|(?<=\d)[–—](?![\p{L}])|(?<=\p{L})–(?=[\p{Lu}\d])|(?<=\p{L}{3})–(?=\p{L}{3})|(?<=\p{L}{2})—(?=\p{L}{2})/u,
    /…(?!\p{L})|(?<!\p{L})…|(?<![\p{L}\d])[•·]|(?<=l)·(?=l)|(?<!\p{L})(?:¿(?=\p{L}[^¿]*\?)|¡(?=\p{L}[^¡]*!))/u,
    // Money, and signs of law.
    /(?<!\p{L})[€£¥¢](?![\p{L}”])|(?<=\b[kM])[€£]|[®™](?!\p{L})|©(?![\p{L}])|©(?=\p{Lu}\p{Ll})/u,
    // Measures, numbers and paragraphs.
    /(?<=\d\s?)°(?!\p{L}\p{L})|(?<=\b[nN])°|(?<=[\d.]|\b[nNMD])[ºª]|(?<=\d|\b[kcdm]?m)[²³](?!\p{L})/u,
    /(?<!\p{L})[½¼¾×÷§¶](?!\p{L})|(?<=^|[\s\d])[†‡](?!\p{L})|±(?=\s?\d)|(?<=\d\s?)(?:‰|µ(?=\p{L}))|(?<!\p{L})µ(?=[AFVWgmls]\b)/u,
    // Spaces that do not break a line.
    /(?<=[\d\p{P}])\u00a0|\u00a0(?=[\d\s\p{P}\p{Lu}€£])|(?<=\p{L}{2})\u00a0(?=\p{L}{2})/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);
const SIGN_IN_PLACE_WEIGHT = 1.7;
/** Those of them that are wrong elsewhere, such as within a word. */
const SIGN_OUT_OF_PLACE = /[“”„‘’‚‹›«»–—…•†‡§¶¿¡]/gu;
const SIGN_WEIGHT = 0.5;
/** How much a triple of letters that is frequent in the language counts beside a letter of it. */
const TRIGRAM_WEIGHT = 2;
/** What a letter counts in a word that is spelt as the script's languages spell, and in another. */
const RIGHT_SPELLING = 1.8;
const WRONG_SPELLING = 0.4;

/** How likely a text is one that its encoding was made for. */
export function rateSingleByte(text: string, { script, languages }: Writing): Rating {
  const inPlace = text.match(SIGN_IN_PLACE)?.length ?? 0;
  const rest = text.replace(SIGN_IN_PLACE, ' ');
  const words = (rest.match(WORD) ?? []).filter((word) => BEYOND_ASCII.test(word));
  const characters = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  const own = new RegExp(`^[\\p{Script=${script}}\\p{M}]+$`, 'u');
  const read = words.filter((word) => own.test(word));
  const wrong = words
    .filter((word) => !own.test(word) && !USUAL_SIGN.test(word))
    .reduce((sum, word) => sum + beyondAscii(word), 0);
  if (script !== 'Latin' && read.length === 0) return { sum: 0, characters };
  // Small letters are not followed by capitals, ð begins no word, and þ most; with other letters, it often seems so.
  const mixed = read.filter((word) => /\p{Ll}\p{Lu}|^ð|^Ð\p{Ll}|\p{L}þ/u.test(word));
  const mixedCase = mixed.reduce((sum, word) => sum + beyondAscii(word), 0);
  const spelt =
    languages.length === 0
      ? rateSpelling(read, script)
      : Math.max(...languages.map((language) => rateLanguage(read, script, language, languages)));
  const hyphens = rest.match(SOFT_HYPHEN)?.length ?? 0;
  const signs = words.filter((word) => USUAL_SIGN.test(word)).join('');
  const outOfPlace = rest.match(SIGN_OUT_OF_PLACE)?.length ?? 0;
  const signPoints =
    SIGN_IN_PLACE_WEIGHT * inPlace + SIGN_WEIGHT * (beyondAscii(signs) + hyphens) - outOfPlace;
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
    // A letter alone is a word in some language or other.
    if (word.length > 1)
      sum += TRIGRAM_WEIGHT * rateTrigrams(` ${lower} `, trigrams) * beyondAscii(word);
  }
  return sum;
}

function rateTrigrams(word: string, trigrams: ReadonlySet<string>): number {
  let found = 0;
  for (let at = 0; at + 3 <= word.length; at++) if (trigrams.has(word.slice(at, at + 3))) found++;
  return found / Math.max(1, word.length - 2);
}

/** By rules of spelling: of Greek accents and last letters, of Thai vowels and tones. */
function rateSpelling(words: readonly string[], script: string): number {
  const isSpelt = SPELLINGS[script];
  return words.reduce((sum, word) => {
    const isRight = isSpelt?.test(word) === true && (word.match(GREEK_ACCENT)?.length ?? 0) <= 1;
    // Any letter alone is spelt right.
    if (isRight && word.length === 1) return sum + 1;
    return sum + beyondAscii(word) * (isRight ? RIGHT_SPELLING : WRONG_SPELLING);
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

const beyondAscii = (word: string): number => word.match(/[^\0-\x7f]/gu)?.length ?? 0;
