import type { Rating } from './rate-letters.js';

interface Wide {
  /** Ranges of the first bytes of frequent characters and signs. */
  readonly frequent: readonly (readonly [from: number, to: number])[];
  readonly signs: readonly [from: number, to: number];
  /** The lowest second byte of frequent characters. */
  readonly second: number;
  /** Single-byte characters, which are rare in modern text. */
  readonly halfWidth?: readonly [from: number, to: number];
  readonly locale: string;
}

/** Encodings with two bytes per character; their tables group frequent characters. */
export const WIDE: Readonly<Record<string, Wide>> = {
  shift_jis: {
    frequent: [
      [0x82, 0x83],
      [0x88, 0x97],
    ],
    signs: [0x81, 0x81],
    second: 0x40,
    halfWidth: [0xa1, 0xdf],
    locale: 'ja',
  },
  'euc-jp': {
    frequent: [
      [0xa4, 0xa5],
      [0xb0, 0xcf],
    ],
    signs: [0xa1, 0xa3],
    second: 0xa1,
    locale: 'ja',
  },
  gb18030: { frequent: [[0xb0, 0xd7]], signs: [0xa1, 0xa3], second: 0xa1, locale: 'zh' },
  big5: { frequent: [[0xa4, 0xc6]], signs: [0xa1, 0xa3], second: 0x40, locale: 'zh' },
  'euc-kr': { frequent: [[0xb0, 0xc8]], signs: [0xa1, 0xa3], second: 0xa1, locale: 'ko' },
};

const WORD_WEIGHT = 1.5;
/** The share assumed for Korean, for which there is no dictionary. */
const KOREAN_WORDS = 0.45;
const WIDE_LETTER = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]/gu;
const SEGMENTERS = new Map<string, Intl.Segmenter>();

/** Rates how likely it is that a text is in a two-byte encoding, by frequent characters and by words. */
export function rateWide(bytes: Uint8Array, text: string, encoding: string): Rating {
  const wide = WIDE[encoding];
  if (!wide) return { sum: 0, characters: 0 };
  let points = 0;
  let characters = 0;
  for (let at = 0; at < bytes.length; at++) {
    const first = bytes[at] ?? 0;
    if (first < 0x80) continue;
    characters++;
    if (wide.halfWidth && isWithin(first, wide.halfWidth)) {
      points--;
      continue;
    }
    const second = bytes[++at] ?? 0;
    if (isWithin(first, wide.signs)) continue;
    const isFrequent = second >= wide.second && wide.frequent.some((zone) => isWithin(first, zone));
    points += isFrequent ? 1 : -1;
  }
  const words = wide.locale === 'ko' ? KOREAN_WORDS : measureShareInWords(text, wide.locale);
  return { sum: points + WORD_WEIGHT * words * characters, characters };
}

/** The share of characters in words of two or more, by the dictionary of the platform. */
function measureShareInWords(text: string, locale: string): number {
  const segmenter = SEGMENTERS.get(locale) ?? new Intl.Segmenter(locale, { granularity: 'word' });
  SEGMENTERS.set(locale, segmenter);
  let inWords = 0;
  let all = 0;
  for (const { segment } of segmenter.segment(text)) {
    const letters = segment.match(WIDE_LETTER)?.length ?? 0;
    all += letters;
    if (letters > 1) inWords += letters;
  }
  return inWords / Math.max(1, all);
}

const isWithin = (byte: number, [from, to]: readonly [number, number]): boolean =>
  byte >= from && byte <= to;
