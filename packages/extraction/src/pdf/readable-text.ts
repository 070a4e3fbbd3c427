import { data } from 'franc/data.js';

/** At most this many letters are examined; a text with fewer than MIN_LETTERS is not judged. */
const MAX_LETTERS = 1500;
const MIN_LETTERS = 150;
/** The share of letters that must be in known scripts; other texts are not judged. */
const MIN_KNOWN = 0.8;
/**
 * The share of trigrams that are frequent in the best fitting language. Readable pages have at least
 * 0.24, pages with wrongly mapped letters at most 0.13.
 */
const MIN_FREQUENT = 0.16;
/** The share of words with a tripled letter. A broken font maps many letters to the same character. */
const MAX_TRIPLED = 0.03;
const MIN_TRIPLED = 5;

const KNOWN = /[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Devanagari}\p{sc=Hebrew}]/gu;
const LETTER = /\p{L}/gu;
/** Matches words, but not part numbers, keys and the like. */
const WORD = /(?<![\p{L}\p{M}\p{N}_-])\p{L}[\p{L}\p{M}]+(?![\p{L}\p{M}\p{N}_-])/gu;
const TATWEEL = /\u0640/g;
const TRIPLED = /(\p{L})\1\1/u;
const ONE_LETTER = /^(\p{L})\1*$/u;

/** The languages in which each trigram is frequent, by their numbers. */
let languagesByTrigram: Map<string, number[]> | undefined;
let languageCount = 0;

/**
 * Whether letters are the characters that they look like. A font that maps them to others gives text
 * that is in no language.
 */
export function isReadable(text: string): boolean {
  const words = text.normalize('NFKC').replace(TATWEEL, '').toLowerCase().match(WORD) ?? [];
  const sample = sampleWords(words);
  const letters = sample.match(LETTER)?.length ?? 0;
  if (letters < MIN_LETTERS) return true;
  if ((sample.match(KNOWN)?.length ?? 0) < MIN_KNOWN * letters) return true;
  const tripled = words.filter((word) => TRIPLED.test(word) && !ONE_LETTER.test(word)).length;
  if (tripled >= MIN_TRIPLED && tripled > MAX_TRIPLED * words.length) return false;
  return frequentTrigrams(sample) >= MIN_FREQUENT;
}

/** Takes words from the whole page. */
function sampleWords(words: readonly string[]): string {
  const letters = words.reduce((sum, { length }) => sum + length, 0);
  const step = Math.max(1, Math.ceil(letters / MAX_LETTERS));
  return ` ${words.filter((_, index) => index % step === 0).join(' ')} `;
}

function frequentTrigrams(text: string): number {
  languagesByTrigram ??= readTrigrams();
  const counts = new Array<number>(languageCount).fill(0);
  let most = 0;
  for (let at = 0; at + 3 <= text.length; at++) {
    for (const language of languagesByTrigram.get(text.slice(at, at + 3)) ?? []) {
      const count = (counts[language] ?? 0) + 1;
      counts[language] = count;
      most = Math.max(most, count);
    }
  }
  return most / (text.length - 2);
}

function readTrigrams(): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const languages of Object.values(data)) {
    for (const trigrams of Object.values(languages)) {
      for (const trigram of trigrams.split('|')) {
        const known = found.get(trigram);
        if (known) known.push(languageCount);
        else found.set(trigram, [languageCount]);
      }
      languageCount++;
    }
  }
  return found;
}
