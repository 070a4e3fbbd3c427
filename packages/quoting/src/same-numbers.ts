import { foldText } from '@latchkey/text/fold-text';
import { findSpelledNumbers } from '@latchkey/text/spelled-numbers';

const WHOLE = /^\d{1,4}$/;
const WORDS = /\p{L}[\p{L}\p{M}]*|(?<![\d.,:])\d{1,4}(?![\d:]|[.,]\d)/gu;
/** What they count is the same by its beginning: "day", "days". */
const PREFIX = 4;

/** Further numbers of a question are ignored. */
const MAX_ASKED = 20;

export interface CountedNumber {
  /** Folded. */
  readonly word: string;
  readonly value: number;
  /** The word behind it; empty at the end. */
  readonly counts: string;
}

/** Finds the first numbers of a question that count something; the same one counts once. */
export function findCountedNumbers(
  question: string,
  language: string | undefined,
): readonly CountedNumber[] {
  const asked = findCounted(question, language).filter(({ counts }) => counts !== '');
  const distinct = new Map(asked.map((one) => [`${one.word} ${one.counts}`, one]));
  return [...distinct.values()].slice(0, MAX_ASKED);
}

/**
 * Finds the words of a question that say a number of something which a text has in another form: "two" of "two
 * days" in "2 days", "vierzehn" of "vierzehn Tage" in "14 Tage".
 *
 * @param textLanguage BCP 47
 */
export function findSameNumbers(
  asked: readonly CountedNumber[],
  text: string,
  textLanguage: string | null,
): string[] {
  if (asked.length === 0) return [];
  const written = findCounted(text, textLanguage ?? undefined);
  return asked
    .filter((one) => written.some((other) => other.value === one.value && countsSame(one, other)))
    .map(({ word }) => word);
}

function findCounted(text: string, language: string | undefined): CountedNumber[] {
  const words = (text.match(WORDS) ?? []).map(foldText);
  return words.flatMap((word, index) => {
    const [value, ...others] = WHOLE.test(word)
      ? [Number(word)]
      : findSpelledNumbers(word, language);
    const counts = words[index + 1] ?? '';
    return value === undefined || others.length > 0 ? [] : [{ word, value, counts }];
  });
}

const countsSame = (one: CountedNumber, other: CountedNumber): boolean =>
  one.counts.slice(0, PREFIX) === other.counts.slice(0, PREFIX);
