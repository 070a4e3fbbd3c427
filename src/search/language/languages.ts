import { stemmer as arm } from '@orama/stemmers/armenian';
import { stemmer as bg } from '@orama/stemmers/bulgarian';
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
import { foldLetters } from '../fold-text.js';
import { QUESTION_WORDS } from './question-words.js';
import { stemArabic } from './stem-arabic.js';
import { stemHebrew } from './stem-hebrew.js';

type Script = 'Arab' | 'Armn' | 'Cyrl' | 'Deva' | 'Grek' | 'Hebr' | 'Latn' | 'Taml';

/** How the words of a language are made comparable. */
interface Language {
  /** The script that its stemmer is for; words in others are stemmed by their script. */
  readonly script: Script | undefined;
  /** The stem of a lower-case word, letters not folded yet. */
  readonly stem: (word: string) => string;
  /** Whether a mark makes another word, so that it stays: Vietnamese, whose tones they are. */
  readonly keepsMarks: boolean;
  readonly stopWords: ReadonlySet<string>;
}

/** Snowball takes ae, oe and ue for umlauts in one variant only, which no package has. */
const umlauts = (word: string): string =>
  word.replace(/(?<![aeouäöüq])([aou])e/g, (_, vowel: string) => `${vowel}\u0308`.normalize('NFC'));

/** Snowball's Romanian knows the letters with cedillas that stood for those with commas. */
const cedillas = (word: string): string => word.replace(/ș/g, 'ş').replace(/ț/g, 'ţ');

const unchanged = (word: string): string => word;

const STEMMERS: Record<string, [script: Script, stem: (word: string) => string]> = {
  ar: ['Arab', (word) => stemArabic(foldLetters(word))],
  bg: ['Cyrl', bg],
  da: ['Latn', da],
  de: ['Latn', (word) => de(umlauts(word))],
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
  ro: ['Latn', (word) => ro(cedillas(word))],
  ru: ['Cyrl', ru],
  sr: ['Cyrl', sr],
  sv: ['Latn', sv],
  ta: ['Taml', ta],
  tr: ['Latn', tr],
  uk: ['Cyrl', uk],
};

/** Codes that mean a language of the tables by another name. */
const SAME: Record<string, string> = { nb: 'no', nn: 'no', iw: 'he', in: 'id', cmn: 'zh', yue: 'zh' };

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

const languages = new Map<string, Language>();

/** @param tag BCP 47; null for a text of unknown language */
export function languageOf(tag: string | null): Language {
  const code = codeOf(tag);
  const known = languages.get(code);
  if (known) return known;
  const [script, stem] = STEMMERS[code] ?? [undefined, unchanged];
  const lists = (STOP_WORDS[code] ?? []).flatMap((name) => stopWordLists[name] as string[]);
  const words = [...lists, ...(QUESTION_WORDS[code]?.split(' ') ?? [])];
  const language: Language = {
    script,
    stem,
    keepsMarks: code === 'vi',
    stopWords: new Set(words.map((word) => word.normalize('NFKC').toLowerCase())),
  };
  languages.set(code, language);
  return language;
}
