import { stemmer as arm } from '@orama/stemmers/armenian';
import { stemmer as da } from '@orama/stemmers/danish';
import { stemmer as nl } from '@orama/stemmers/dutch';
import { stemmer as fi } from '@orama/stemmers/finnish';
import { stemmer as fr } from '@orama/stemmers/french';
import { stemmer as de } from '@orama/stemmers/german';
import { stemmer as el } from '@orama/stemmers/greek';
import { stemmer as hu } from '@orama/stemmers/hungarian';
import { stemmer as hi } from '@orama/stemmers/indian';
import { stemmer as id } from '@orama/stemmers/indonesian';
import { stemmer as ga } from '@orama/stemmers/irish';
import { stemmer as it } from '@orama/stemmers/italian';
import { stemmer as lt } from '@orama/stemmers/lithuanian';
import { stemmer as ne } from '@orama/stemmers/nepali';
import { stemmer as no } from '@orama/stemmers/norwegian';
import { stemmer as pt } from '@orama/stemmers/portuguese';
import { stemmer as ro } from '@orama/stemmers/romanian';
import { stemmer as ru } from '@orama/stemmers/russian';
import { stemmer as sr } from '@orama/stemmers/serbian';
import { stemmer as es } from '@orama/stemmers/spanish';
import { stemmer as sv } from '@orama/stemmers/swedish';
import { stemmer as ta } from '@orama/stemmers/tamil';
import { stemmer as tr } from '@orama/stemmers/turkish';
import { stemmer as uk } from '@orama/stemmers/ukrainian';
import { stemmer as en } from 'stemmer';
import * as stopWordLists from 'stopword';
import { tolerant } from '../failures.js';
import { foldLetters } from '../fold-text.js';
import { AUXILIARY_WORDS } from './auxiliary-words.js';
import { QUESTION_WORDS } from './question-words.js';
import { stemArabic } from './stem-arabic.js';
import { stemBulgarian } from './stem-bulgarian.js';
import { stemHebrew } from './stem-hebrew.js';
import { TRADITIONAL_CHINESE } from './traditional-chinese.js';

type Script = 'Arab' | 'Armn' | 'Cyrl' | 'Deva' | 'Grek' | 'Hebr' | 'Latn' | 'Taml';

/** The rules by which the words of a language are stemmed and compared. */
interface Language {
  /** The script that its stemmer is for; words in others are stemmed by their script. */
  readonly script: Script | undefined;
  /** The stem of a lower-case word, letters not folded yet. */
  readonly stem: (word: string) => string;
  /** Whether marks distinguish words and are kept, as in Vietnamese, where they are tones. */
  readonly keepsMarks: boolean;
  readonly stopWords: ReadonlySet<string>;
  /** Stop words that never say what a text is about, however few texts have them. */
  readonly sureStopWords: ReadonlySet<string>;
  /** The locale for converting to lower case, if the language has rules of its own. */
  readonly locale: string | undefined;
}

/** Snowball reads ae, oe and ue as umlauts only in a variant that no package has. */
const restoreUmlauts = (word: string): string =>
  word.replace(/(?<![aeouäöüq])([aou])e/g, (_, vowel: string) => `${vowel}\u0308`.normalize('NFC'));

/** Snowball's Romanian knows the letters with cedillas that stood for those with commas. */
const useCedillas = (word: string): string => word.replace(/ș/g, 'ş').replace(/ț/g, 'ţ');

const keepWord = (word: string): string => word;

const STEMMERS: Record<string, [script: Script, stem: (word: string) => string]> = {
  ar: ['Arab', (word) => stemArabic(foldLetters(word))],
  bg: ['Cyrl', stemBulgarian],
  da: ['Latn', da],
  de: ['Latn', (word) => de(restoreUmlauts(word))],
  el: ['Grek', el],
  en: ['Latn', en],
  es: ['Latn', es],
  fi: ['Latn', fi],
  fr: ['Latn', fr],
  ga: ['Latn', ga],
  he: ['Hebr', (word) => stemHebrew(foldLetters(word))],
  hi: ['Deva', (word) => hi(foldLetters(word))],
  hu: ['Latn', hu],
  hy: ['Armn', arm],
  id: ['Latn', id],
  it: ['Latn', it],
  lt: ['Latn', lt],
  ne: ['Deva', ne],
  nl: ['Latn', nl],
  no: ['Latn', no],
  pt: ['Latn', pt],
  ro: ['Latn', (word) => ro(useCedillas(word))],
  ru: ['Cyrl', ru],
  sr: ['Cyrl', sr],
  sv: ['Latn', sv],
  ta: ['Taml', ta],
  tr: ['Latn', tr],
  uk: ['Cyrl', uk],
};

/** The languages that have a stemmer. */
export const STEMMED_LANGUAGES: readonly string[] = Object.keys(STEMMERS);

/** Codes that mean a language of the tables by another name. */
const SAME: Record<string, string> = {
  nb: 'no',
  nn: 'no',
  iw: 'he',
  in: 'id',
  cmn: 'zh',
  yue: 'zh',
};

/** The lists of `stopword` are named by three letters. */
const STOP_WORDS: Record<string, readonly (keyof typeof stopWordLists)[]> = {
  af: ['afr'], ar: ['ara'], bg: ['bul'], bn: ['ben'], ca: ['cat'], cs: ['ces'], da: ['dan'],
  de: ['deu'], el: ['ell'], en: ['eng'], eo: ['epo'], es: ['spa'], et: ['est'], eu: ['eus'],
  fa: ['fas'], fi: ['fin'], fr: ['fra'], ga: ['gle'], gl: ['glg'], gu: ['guj'], ha: ['hau'],
  he: ['heb'], hi: ['hin'], hr: ['hrv'], hu: ['hun'], hy: ['hye'], id: ['ind'], it: ['ita'],
  ja: ['jpn'], ko: ['kor'], la: ['lat'], lt: ['lit'], lv: ['lav'], mr: ['mar'], ms: ['msa'],
  my: ['mya'], nl: ['nld'], no: ['nob'], pl: ['pol'], pt: ['por'], ro: ['ron'], ru: ['rus'],
  sk: ['slk'], sl: ['slv'], sv: ['swe'], sw: ['swa'], th: ['tha'], tl: ['tgl'], tr: ['tur'],
  uk: ['ukr'], ur: ['urd'], vi: ['vie'], zh: ['zho'],
}; // prettier-ignore

/** Stop words that the lists lack. */
const FURTHER_STOP_WORDS: Readonly<Record<string, string>> = { zh: TRADITIONAL_CHINESE };

/** Longer lists have words such as `Tag` and `vierten`, which texts may be about. */
const MAX_SURE_STOP_WORDS = 300;

/** Folds the letters of a stop word, since lists differ in letter forms and marks; Latin accents stay (thé). */
const toComparable = (word: string): string => {
  const lowerCase = word.normalize('NFKC').toLowerCase();
  return detectScript(lowerCase) === 'Latn' ? lowerCase : foldLetters(lowerCase);
};

const languages = new Map<string, Language>();

/** @param tag BCP 47; null for a text of unknown language */
export function getLanguage(tag: string | null): Language {
  const code = toCode(tag);
  const known = languages.get(code);
  if (known) return known;
  const [script, stem] = STEMMERS[code] ?? [undefined, keepWord];
  const lists = (STOP_WORDS[code] ?? []).flatMap((name) => stopWordLists[name] as string[]);
  const listed = [...lists, ...(FURTHER_STOP_WORDS[code]?.split(' ') ?? [])].map(toComparable);
  const always = [QUESTION_WORDS[code], AUXILIARY_WORDS[code]]
    .flatMap((words) => words?.split(' ') ?? [])
    .map(toComparable);
  const language: Language = {
    script,
    // A word without a stem stays as it is: other words without one would count as the same word.
    stem: tolerant('stemmer', (word) => stem(word) || word, keepWord, code),
    keepsMarks: code === 'vi',
    locale: ['az', 'lt', 'tr'].includes(code) ? code : undefined,
    stopWords: new Set([...listed, ...always]),
    sureStopWords: new Set([...(listed.length > MAX_SURE_STOP_WORDS ? [] : listed), ...always]),
  };
  languages.set(code, language);
  return language;
}

/** The first tag of each language: regions and scripts, such as `pt-BR`, have the same words. */
export const distinctLanguages = (tags: readonly (string | null)[]): (string | null)[] =>
  [...new Map(tags.toReversed().map((tag) => [toCode(tag), tag])).values()].toReversed();

/** Whether a word says nothing of what a text of the language is about. */
export const isStopWord = (word: string, tag: string | null = null): boolean =>
  getLanguageWithList(word, tag).stopWords.has(toComparable(word));

/** Whether a stop word of the language is one however few passages have it. */
export const isSureStopWord = (word: string, tag: string | null = null): boolean =>
  getLanguageWithList(word, tag).sureStopWords.has(toComparable(word));

/** Persian and Marathi are stemmed as Arabic and Hindi, but have stop words of their own. */
function getLanguageWithList(word: string, tag: string | null): Language {
  const isOwn = detectScript(word) !== undefined && detectScript(word) === getMainScript(tag);
  return isOwn ? getLanguage(tag) : getLanguageOfWord(word, tag);
}

/** The language of a text, or for a word in another script the one that mostly uses that script. */
export function getLanguageOfWord(word: string, tag: string | null): Language {
  const language = getLanguage(tag);
  const script = detectScript(word);
  if (script === undefined || script === language.script) return language;
  // Latin letters in a text of a language without a stemmer are that language's own.
  if (script === 'Latn' && language.script === undefined && getMainScript(tag) === 'Latn') {
    return language;
  }
  return getLanguage(MAIN_LANGUAGES[script]);
}

const MAIN_LANGUAGES: Record<Script, string> = {
  Arab: 'ar',
  Armn: 'hy',
  Cyrl: 'ru',
  Deva: 'hi',
  Grek: 'el',
  Hebr: 'he',
  Latn: 'en',
  Taml: 'ta',
};

const RANGES: readonly (readonly [end: number, script: Script | undefined])[] = [
  [0x0040, undefined],
  [0x0250, 'Latn'],
  [0x0370, undefined],
  [0x0400, 'Grek'],
  [0x0530, 'Cyrl'],
  [0x0590, 'Armn'],
  [0x0600, 'Hebr'],
  [0x0700, 'Arab'],
  [0x0900, undefined],
  [0x0980, 'Deva'],
  [0x0b80, undefined],
  [0x0c00, 'Taml'],
  [0x1e00, undefined],
  [0x1f00, 'Latn'],
  [0x2000, 'Grek'],
];

/** Detects the script by the first character. */
function detectScript(word: string): Script | undefined {
  const code = word.charCodeAt(0);
  return RANGES.find(([end]) => code < end)?.[1];
}

/** The script that a language is mostly written in. */
function getMainScript(tag: string | null): string | undefined {
  const code = toCode(tag);
  if (code === 'und') return undefined;
  const known = scripts.get(code) ?? new Intl.Locale(code).maximize().script;
  scripts.set(code, known);
  return known;
}
const scripts = new Map<string, string | undefined>();

/** The language of a tag without script and region; `und` for one that is no tag. */
function toCode(tag: string | null): string {
  const code = /^[a-z]{2,3}(?![a-z])/i.exec(tag ?? '')?.[0].toLowerCase() ?? 'und';
  return SAME[code] ?? code;
}
