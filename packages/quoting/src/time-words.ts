import { foldLetters, foldText, normalizeText } from '@latchkey/text/fold-text';
import { listCalendarNames, toIntlCode } from './calendar-names.js';
import { listUnitNames } from './unit-names.js';

/** A shorter name is also another word ("may"), and so is what remains of one without its ending. */
const MIN_LENGTH = 4;
/** In these scripts a name stands within others, or has "on" and "in" before it. */
const WITHIN =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Hangul}\p{Script=Hebrew}\p{Script=Arabic}]/u;
/** Answers to "when" that are no names of days or months. */
const OTHERS: Readonly<Record<string, string>> = {
  ar: 'فورا|يوميا|أسبوعيا|شهريا|سنويا',
  cs: 'ihned|okamžitě|denně|týdně|měsíčně|ročně',
  da: 'straks|dagligt|ugentligt|månedligt|årligt',
  de: 'sofort|umgehend|unverzüglich|täglich|wöchentlich|monatlich|jährlich|nachts|werktags',
  en: 'immediately|daily|weekly|monthly|quarterly|annually|weekdays|weekends|midnight|noon',
  es: 'inmediatamente|diariamente|semanalmente|mensualmente|anualmente|laborables',
  fa: 'فوری|بلافاصله|روزانه|هفتگی|ماهانه|سالانه',
  fi: 'heti|päivittäin|viikoittain|kuukausittain|vuosittain',
  fr: 'immédiatement|quotidiennement|mensuellement|annuellement|ouvrables',
  he: 'מיד|מדי יום|מדי חודש',
  hu: 'azonnal|naponta|hetente|havonta|évente',
  id: 'segera|setiap hari|setiap minggu|setiap bulan',
  it: 'immediatamente|subito|quotidianamente|settimanalmente|mensilmente|annualmente|feriali',
  ja: '毎日|毎週|毎月|毎年|直ちに|すぐ|平日|休日|土日|月末|翌日|前日|当日',
  ko: '즉시|매일|매주|매월|매년|평일|주말|월말|당일|다음 날|전날',
  nl: 'direct|onmiddellijk|dagelijks|wekelijks|maandelijks|jaarlijks',
  no: 'straks|daglig|ukentlig|månedlig|årlig',
  pl: 'natychmiast|niezwłocznie|codziennie|raz w tygodniu|raz w miesiącu|rocznie',
  pt: 'imediatamente|diariamente|semanalmente|mensalmente|anualmente|dias úteis',
  ro: 'imediat|zilnic|săptămânal|lunar|anual',
  ru: 'немедленно|сразу|ежедневно|еженедельно|ежемесячно|ежегодно',
  sv: 'omedelbart|genast|dagligen|månadsvis|årligen',
  tr: 'hemen|derhal|her gün|her hafta|her ay|her yıl',
  uk: 'негайно|щодня|щотижня|щомісяця|щороку',
  vi: 'ngay lập tức|hằng ngày|hàng ngày|hàng tuần|hàng tháng|hàng năm',
  zh: '立即|马上|馬上|每天|每日|每周|每週|每月|每年|工作日|周末|週末|当天|當天|次日',
};
const patterns = new Map<string, RegExp>();

/**
 * Whether a text states a time by a word and not by a number: a day of the week, a month, "daily".
 *
 * @param language BCP 47
 */
export function hasTimeWord(text: string, language: string | null): boolean {
  const code = toIntlCode(language);
  if (code === undefined) return false;
  return getPattern(code).test(foldText(text));
}

/** Finds where a text states a time by a word, in UTF-16 units. */
export function findTimeWords(
  text: string,
  language: string | null,
): [start: number, end: number][] {
  const code = toIntlCode(language);
  if (code === undefined) return [];
  // Folding may change the length, so characters are folded one by one.
  let [folded, at] = ['', 0];
  const places: number[] = [];
  for (const character of text) {
    const own = foldLetters(normalizeText(character));
    for (let index = 0; index < own.length; index++) places.push(at);
    folded += own;
    at += character.length;
  }
  return [...folded.matchAll(new RegExp(getPattern(code), 'gu'))].map(({ 0: word, index }) => [
    places[index] ?? 0,
    places[index + word.length] ?? text.length,
  ]);
}

function getPattern(code: string): RegExp {
  const pattern = patterns.get(code) ?? buildPattern(code);
  patterns.set(code, pattern);
  return pattern;
}

function buildPattern(code: string): RegExp {
  const names = (['weekday', 'month'] as const).flatMap((part) => [
    ...listCalendarNames(code, part, 'long'),
    ...(code === 'zh' ? listCalendarNames(code, part, 'short') : []),
  ]);
  const forms = [...names, ...(OTHERS[code]?.split('|') ?? []).map(foldText)]
    .filter((name) => !/\p{Nd}/u.test(name))
    .filter((name) => WITHIN.test(name) || name.length >= MIN_LENGTH)
    .map((name) =>
      // Languages decline the names: "w środę", "по средам".
      WITHIN.test(name) ? name : `(?<!\\p{L})${buildDeclinedPattern(name)}(?!\\p{L})`,
    );
  return new RegExp([...new Set(forms)].join('|') || '(?!)', 'u');
}

const buildDeclinedPattern = (name: string): string =>
  name.length > MIN_LENGTH ? `${name.slice(0, -1)}\\p{L}{0,3}` : `${name}\\p{L}{0,2}`;

const UNITS = ['hour', 'day', 'week', 'month', 'year'];
const unitNames = new Map<string, ReadonlySet<string>>();
const PARTS_OF_WEEK = /week ?end|wochenende|(?<!\p{L})(?:night|nacht|nuit|noche|notte|noite)/u;

/**
 * Whether words name a time that lasts: "a week", "the weekend".
 *
 * @param text in lower case
 * @param code of a language, without region
 */
export function isPeriod(text: string, code: string): boolean {
  const known = toIntlCode(code) ?? 'en';
  const names =
    unitNames.get(known) ?? new Set(UNITS.flatMap((unit) => listUnitNames(unit, known)));
  unitNames.set(known, names);
  return PARTS_OF_WEEK.test(text) || text.split(' ').some((word) => names.has(word));
}
