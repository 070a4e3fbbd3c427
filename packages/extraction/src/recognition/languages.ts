/** Tesseract's names of language data by BCP 47 tag; some, such as `zh-Hant`, with the script. */
const DATA_NAMES: Readonly<Record<string, string>> = {
  ar: 'ara',
  bg: 'bul',
  bn: 'ben',
  ca: 'cat',
  cs: 'ces',
  da: 'dan',
  de: 'deu',
  el: 'ell',
  en: 'eng',
  es: 'spa',
  et: 'est',
  fa: 'fas',
  fi: 'fin',
  fr: 'fra',
  he: 'heb',
  hi: 'hin',
  hr: 'hrv',
  hu: 'hun',
  hy: 'hye',
  id: 'ind',
  it: 'ita',
  ja: 'jpn',
  ka: 'kat',
  ko: 'kor',
  lt: 'lit',
  lv: 'lav',
  nb: 'nor',
  nl: 'nld',
  nn: 'nor',
  no: 'nor',
  pl: 'pol',
  pt: 'por',
  ro: 'ron',
  ru: 'rus',
  sk: 'slk',
  sl: 'slv',
  sr: 'srp',
  sv: 'swe',
  ta: 'tam',
  th: 'tha',
  tr: 'tur',
  uk: 'ukr',
  ur: 'urd',
  vi: 'vie',
  zh: 'chi_sim',
  'zh-Hant': 'chi_tra',
};

/** The languages of each script, by the detector's name for it, the most frequent first. */
const LANGUAGES_OF_SCRIPT: Readonly<Record<string, readonly string[]>> = {
  Latin: ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl'],
  Han: ['zh', 'zh-Hant', 'ja'],
  HanS: ['zh'],
  HanT: ['zh-Hant', 'zh'],
  Japanese: ['ja', 'zh'],
  Korean: ['ko'],
  Hangul: ['ko'],
  Cyrillic: ['ru', 'uk', 'bg', 'sr'],
  Arabic: ['ar', 'fa', 'ur'],
  Hebrew: ['he'],
  Greek: ['el'],
  Thai: ['th'],
  Devanagari: ['hi'],
  Bengali: ['bn'],
  Tamil: ['ta'],
  Georgian: ['ka'],
  Armenian: ['hy'],
  Vietnamese: ['vi'],
};

/** @returns undefined for a language that Tesseract has no data for */
export function findDataName(tag: string): string | undefined {
  const { language, script } = new Intl.Locale(tag).maximize();
  const name = language === 'zh' && script === 'Hant' ? 'zh-Hant' : language;
  return DATA_NAMES[name];
}

export const getScriptLanguages = (script: string): readonly string[] =>
  LANGUAGES_OF_SCRIPT[script] ?? [];
