import { foldText, normalizeText } from '@latchkey/text/fold-text';
import { isStopWord } from '@latchkey/text/language/languages';
import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import { isCurrency } from './currencies.js';

/** Not the 3 of m³. */
const NUMBER = /(?<!(?<!\p{L})[cdkm]?m(?=[23](?!\p{Nd})))\p{Nd}+(?:[.,]\p{Nd}+)*/gu;
/** "1,000", "10.000" */
const THOUSANDS = /^[1-9]\d{0,2}(?:[.,]\d{3})+$/;
const MAX_DIGITS = 5;
/** Separates the two numbers of a range, behind the unit of the first: "2 kg to 5 kg". */
export const BETWEEN =
  /^ ?(?:\p{L}{1,12} ?)?(?:[-–—~〜～]|から|부터|에서|至|到|(?<= )(?:to|bis|à|a|al|até|tot|do|til|till|hingga|sampai|до|đến|تا|إلى|الى|עד)) ?$/u;
const BEFORE = /(?<!\p{L})(\p{L}{1,30})\P{L}?$/u;
const AFTER = /^\P{L}?(\p{L}+)/u;
/** Words before an upper limit; those before a lower limit follow. */
const UP_TO =
  "up to|under|below|less than|at most|max|maximum|bis|bis zu|unter|höchstens|maximal|weniger als|jusqu['’]à|moins de|au plus|hasta|menos de|máximo|fino a|meno di|sotto i|massimo|até|tot|onder|minder dan|hoogstens|maximaal|do|poniżej|mniej niż|maksymalnie|najwyżej|до|менше|менше ніж|менее|меньше|hingga|sampai|kurang dari|maksimal|di bawah|dưới|đến|tối đa|không quá|upp till|högst|op til|højst|pod|nejvýše|până la|sub|en fazla|en çok|تا|زیر|کمتر از|حداکثر|حتى|أقل من|עד|מתחת ל|פחות מ";
const FROM =
  'over|above|more than|at least|from|min|minimum|ab|über|mindestens|mehr als|à partir de|dès|plus de|au moins|au-delà de|desde|a partir de|más de|al menos|oltre|più di|almeno|sopra i|da|mais de|acima de|pelo menos|vanaf|boven|meer dan|minstens|minimaal|od|powyżej|ponad|co najmniej|ukończy\\p{L}+|від|понад|більше|більше ніж|щонайменше|от|свыше|более|больше|mulai|lebih dari|di atas|minimal|từ|trên|hơn|tối thiểu|ít nhất|från|över|minst|fra|mindst|mere end|nad|alespoň|peste|cel puțin|en az|از|بالای|بیش از|حداقل|فوق|أكثر من|מעל|לפחות|יותר מ';
const OR_LESS =
  'or less|or fewer|or under|or younger|oder weniger|ou moins|o menos|o meno|ou menos|of minder|lub mniej|atau kurang|altı|altında|kadar|以下|以内|未満|未满|未滿|まで|이하|미만|이내|까지';
const OR_MORE =
  'or more|or over|or above|or older|and over|and above|and older|oder mehr|oder älter|und mehr|und älter|ou plus|et plus|révolus|o más|y más|o più|e oltre|ou mais|of meer|en ouder|en meer|lub więcej|i więcej|і більше|и более|и старше|і старше|ke atas|atau lebih|trở lên|üzeri|üstü|üzerinde|以上|以上の|超|이상|초과|부터';
/** "Not less than 18" is a beginning. */
const NOT = 'not|no|nicht|nie|pas|non|não|niet|inte|ikke|nu|не|tidak|không|ليس|ليست|לא';
const beforeNumber = (words: string) =>
  new RegExp(`(?<!\\p{L})(?<not>(?:${NOT}) (?!sampai|đến))?(?:${words})[ -]?\\p{Sc}?$`, 'iu');
/** Matches the words behind a limit and its unit: "65 years or older", 100株以上. */
const behindNumber = (words: string) =>
  new RegExp(
    `^ ?(?:[\\p{L}\\p{Sc}%°]{0,12}?[23]?[ ,.'’-]{0,2}){0,2}?(?:${words})(?!\\p{Script=Latin})`,
    'iu',
  );
const LIMITS = [
  { isUpper: true, isBefore: beforeNumber(UP_TO), isBehind: behindNumber(OR_LESS) },
  { isUpper: false, isBefore: beforeNumber(FROM), isBehind: behindNumber(OR_MORE) },
];
/** A year lies beyond any "from 200 €", so it is compared only with a limit of the same unit. */
const YEAR = /^(?:1[5-9]|20)\d\d$/;
const UNIT = /^[ -]?(\p{L}+|[\p{Sc}%°])/u;
const SIGN = /^\P{L}/u;
const CURRENCY_BEFORE = /\p{Sc} ?$/u;
/** Words count as the same by their beginning: "berth", "berths". */
const PREFIX = 4;
/** In scripts without spaces, a unit is one character: 株, 세. */
const WITHOUT_SPACES = /^[\p{scx=Han}\p{scx=Hang}]/u;

/** Further numbers of a question are ignored. */
const MAX_ASKED = 20;

interface Counted {
  readonly text: string;
  readonly value: number;
  readonly start: number;
  readonly end: number;
  /** The words beside it, which say what it counts or numbers; empty where there are none. */
  readonly before: string;
  readonly after: string;
  /** The word or sign behind it, or the sign of a currency before it; ¤ for any currency, empty for none. */
  readonly unit: string;
  /** The text before and behind it. */
  readonly left: string;
  readonly right: string;
}

export interface AskedNumber extends Counted {
  /** Whether the words behind and before it say what it counts or numbers: "kg", "error". */
  readonly hasUnit: boolean;
  readonly isNamed: boolean;
}

/** Finds the first whole numbers of a question; numbers with the same words beside them count once. */
export function findAskedNumbers(question: string): AskedNumber[] {
  const language = detectQuestionLanguage(question) ?? null;
  const saysNothing = (word: string) => word === '' || isStopWord(word, language);
  const asked = findNumbers(question)
    .filter((one) => Number.isInteger(one.value))
    .map((one) => ({ ...one, hasUnit: !saysNothing(one.unit), isNamed: !saysNothing(one.before) }));
  const distinct = new Map(
    asked.map((one) => [[one.text, one.before, one.after, one.unit].join('\n'), one]),
  );
  return [...distinct.values()].slice(0, MAX_ASKED);
}

/**
 * Finds the whole numbers of a question that lie within a range of a unit: "a boat of 7 metres" in the row
 * "6 to 9 m", "berth 20" in "berths 14 to 31", "my son of 16 years" in "under 18 years". In a row the column
 * says what the numbers are; in a sentence a word beside them must be the same.
 *
 * @param type.isRow whether the text is a row of a table
 * @param type.asksWhether whether it is a yes-or-no question, which a limit answers also for numbers beyond it
 */
export function findNumbersWithin(
  asked: readonly AskedNumber[],
  text: string,
  { isRow, asksWhether = false }: { isRow: boolean; asksWhether?: boolean },
): ReadonlySet<string> {
  if (asked.length === 0) return new Set();
  const all = findNumbers(text);
  const normalized = normalizeText(text);
  const ranges = all.slice(1).flatMap((to, index) => {
    const from = all[index];
    const isRange =
      from && from.value !== to.value && BETWEEN.test(normalized.slice(from.end, to.start));
    return isRange ? [{ from, to }] : [];
  });
  const open = all.filter((one) => !ranges.some(({ from, to }) => one === from || one === to));
  const limits = open.flatMap((one) =>
    LIMITS.flatMap(({ isUpper, isBefore, isBehind }) => {
      const before = isBefore.exec(one.left);
      if (!before && !isBehind.test(one.right)) return [];
      return [{ ...one, isUpper: before?.groups?.['not'] === undefined ? isUpper : !isUpper }];
    }).slice(0, 1),
  );
  return new Set(
    asked
      .filter(
        (one) =>
          ranges.some(({ from, to }) => {
            const isBetween =
              one.value >= Math.min(from.value, to.value) &&
              one.value <= Math.max(from.value, to.value);
            const isAlike = () => isSame(one.before, from.before) || isSame(one.after, to.after);
            return isBetween && (isRow || isAlike());
          }) ||
          limits.some((limit) => {
            const isInside = limit.isUpper ? one.value <= limit.value : one.value >= limit.value;
            if (!isInside && (isRow || !asksWhether)) return false;
            const hasUnit = isSameUnit(one.unit, limit.unit);
            if (!isRow) return hasUnit;
            // "Aged 12" may be years, "error 45" is no °C.
            const isOther = one.hasUnit || (one.isNamed && SIGN.test(limit.unit));
            const lacksUnit = !isOther || limit.unit === '';
            return hasUnit || (lacksUnit && !YEAR.test(one.text));
          }),
      )
      // "1,000" is two words.
      .flatMap((one) => [one.text, ...one.text.split(/[.,]/)]),
  );
}

function findNumbers(text: string): Counted[] {
  const normalized = normalizeText(text);
  return [...normalized.matchAll(NUMBER)].flatMap(({ 0: number, index }) => {
    const end = index + number.length;
    // Longer numbers and those with a leading zero are parts of telephone numbers, dates and codes.
    const isCount = !/^0\d/.test(number) && number.replace(/[.,]/g, '').length <= MAX_DIGITS;
    if (!isCount) return [];
    const [left, right] = [
      normalized.slice(Math.max(0, index - 40), index),
      normalized.slice(end, end + 40),
    ];
    const unit = UNIT.exec(right)?.[1] ?? '';
    return {
      text: number,
      value: Number(
        THOUSANDS.test(number) ? number.replace(/[.,]/g, '') : number.replace(',', '.'),
      ),
      start: index,
      end,
      before: BEFORE.exec(left)?.[1] ?? '',
      after: AFTER.exec(right)?.[1] ?? '',
      unit: CURRENCY_BEFORE.test(left) || isCurrency(unit) ? '¤' : unit,
      left,
      right,
    };
  });
}

function isSameUnit(one: string, other: string): boolean {
  return WITHOUT_SPACES.test(one)
    ? one.charAt(0) === other.charAt(0)
    : (one === other && one !== '') || isSame(one, other);
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [foldText(one), foldText(other)];
  if (first === '' || second === '') return false;
  const shared = Math.min(PREFIX, first.length, second.length);
  return first.slice(0, shared) === second.slice(0, shared);
}
