import { foldText, normalizeText } from '@latchkey/text/fold-text';

const NUMBER = /\p{Nd}+(?:[.,]\p{Nd}+)?/gu;
const MAX_DIGITS = 5;
/** What stands between the two numbers of a range, behind the unit of the first: "2 kg to 5 kg". */
const BETWEEN =
  /^ ?(?:\p{L}{1,12} ?)?(?:[-–—~〜～]|から|부터|에서|至|到|(?<= )(?:to|bis|à|a|al|até|tot|do|til|till|hingga|sampai|до|đến|تا|إلى|الى|עד)) ?$/u;
const BEFORE = /(?<!\p{L})(\p{L}{1,30})\P{L}?$/u;
const AFTER = /^\P{L}?(\p{L}+)/u;
/** Words count as the same by their beginning: "berth", "berths". */
const PREFIX = 4;

interface Counted {
  readonly text: string;
  readonly value: number;
  readonly start: number;
  readonly end: number;
  /** The words beside it, which say what it counts or numbers; empty where there are none. */
  readonly before: string;
  readonly after: string;
}

/**
 * The whole numbers of a question that lie within a range of a unit: of "a boat of 7 metres" in the row
 * "6 to 9 m", of "berth 20" in "berths 14 to 31". In a row the column says what the numbers are; in a
 * sentence a word beside them must be the same.
 */
export function numbersWithin(question: string, text: string, isRow: boolean): ReadonlySet<string> {
  const asked = numbersIn(question).filter((one) => Number.isInteger(one.value));
  if (asked.length === 0) return new Set();
  const all = numbersIn(text);
  const normalized = normalizeText(text);
  const ranges = all.slice(1).flatMap((to, index) => {
    const from = all[index];
    const isRange =
      from && from.value !== to.value && BETWEEN.test(normalized.slice(from.end, to.start));
    return isRange ? [{ from, to }] : [];
  });
  return new Set(
    asked
      .filter(({ value, before, after }) =>
        ranges.some(({ from, to }) => {
          const isBetween =
            value >= Math.min(from.value, to.value) && value <= Math.max(from.value, to.value);
          return isBetween && (isRow || isSame(before, from.before) || isSame(after, to.after));
        }),
      )
      .map((one) => one.text),
  );
}

function numbersIn(text: string): Counted[] {
  const normalized = normalizeText(text);
  return [...normalized.matchAll(NUMBER)].flatMap(({ 0: number, index }) => {
    const end = index + number.length;
    // Others are of telephones, dates and codes.
    const isCount = !/^0\d/.test(number) && number.length <= MAX_DIGITS;
    if (!isCount) return [];
    return {
      text: number,
      value: Number(number.replace(',', '.')),
      start: index,
      end,
      before: BEFORE.exec(normalized.slice(Math.max(0, index - 40), index))?.[1] ?? '',
      after: AFTER.exec(normalized.slice(end, end + 40))?.[1] ?? '',
    };
  });
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [foldText(one), foldText(other)];
  if (first === '' || second === '') return false;
  const shared = Math.min(PREFIX, first.length, second.length);
  return first.slice(0, shared) === second.slice(0, shared);
}
