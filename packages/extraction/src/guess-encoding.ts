import { decode } from './encodings.js';
import { rateSingleByte, type Writing } from './rate-letters.js';
import { rateWide, WIDE } from './rate-wide.js';

const WESTERN = [
  'deu',
  'fra',
  'spa',
  'por',
  'ita',
  'nld',
  'swe',
  'dan',
  'nob',
  'fin',
  'cat',
  'glg',
  'isl',
];
const CENTRAL = ['pol', 'ces', 'slk', 'hun', 'ron', 'hrv', 'slv'];
const CYRILLIC = ['rus', 'ukr', 'bul', 'bel', 'srp', 'mkd'];

/** Encodings of one byte a character, and the languages that are mostly written in them. */
const SINGLE_BYTE: Readonly<Record<string, Writing>> = {
  'windows-1252': { script: 'Latin', languages: WESTERN },
  'windows-1250': { script: 'Latin', languages: CENTRAL },
  'iso-8859-2': { script: 'Latin', languages: CENTRAL },
  'windows-1254': { script: 'Latin', languages: ['tur', 'azj'] },
  'windows-1257': { script: 'Latin', languages: ['lit', 'lvs', 'ekk'] },
  macintosh: { script: 'Latin', languages: WESTERN },
  ibm850: { script: 'Latin', languages: WESTERN },
  'windows-1251': { script: 'Cyrillic', languages: CYRILLIC },
  'koi8-u': { script: 'Cyrillic', languages: ['rus', 'ukr'] },
  ibm866: { script: 'Cyrillic', languages: ['rus'] },
  'iso-8859-5': { script: 'Cyrillic', languages: CYRILLIC },
  'windows-1253': { script: 'Greek', languages: [] },
  'iso-8859-7': { script: 'Greek', languages: [] },
  'windows-1255': { script: 'Hebrew', languages: ['heb'] },
  'windows-1256': { script: 'Arabic', languages: ['arb', 'pes', 'urd'] },
  'windows-874': { script: 'Thai', languages: [] },
};

/** The encoding is guessed from this many bytes of lines with non-ASCII characters. */
const SAMPLE_BYTES = 8192;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
/** Bytes kept before the first non-ASCII byte of a line. */
const CONTEXT = 256;
/** The lowest rating that a guess may have. */
const MIN_RATING = 0.4;
/** The encoding that most texts are in; in doubt, it is this one. */
const USUAL = 'windows-1252';
/** Encodings that differ from the usual one in some letters, and not in signs. */
const NEAR_USUAL = new Set(['windows-1250', 'iso-8859-2', 'windows-1254', 'windows-1257']);
/** The lead over the usual encoding that a similar one needs: per character, and in total. */
const MIN_LEAD_OF_NEAR = { each: 0.1, all: 0.4 };
const MIN_LEAD_OF_FAR = { each: 0.6, all: 1.5 };
/** From this rating on, the text makes sense in the usual encoding, so no dissimilar one is considered. */
const ALL_IN_PLACE = 1.65;
/** A guess is sure with this rating, this lead over other readings, and this many bytes. */
const SURE_RATING = 1.2;
const SURE_LEAD = 0.3;
const SURE_BYTES = 16;
/** The share of characters in which encodings of one script differ, such as Ά of the Greek ones. */
const MAX_SAME = 0.02;

export interface EncodingGuess {
  readonly encoding: string;
  readonly isSure: boolean;
}

interface Rated {
  readonly encoding: string;
  readonly text: string;
  readonly rating: number;
  readonly characters: number;
}

/** The encodings in which a text may be, the likeliest first. */
export function guessEncodings(content: Uint8Array): EncodingGuess[] {
  const sample = sampleLines(content);
  const inOrder = [...Object.keys(SINGLE_BYTE), ...Object.keys(WIDE)]
    .flatMap((encoding): Rated[] => {
      const text = decode(sample, encoding, true);
      if (text === undefined) return [];
      const writing = SINGLE_BYTE[encoding];
      const { sum, characters } = writing
        ? rateSingleByte(text, writing)
        : rateWide(sample, text, encoding);
      return [{ encoding, text, rating: sum / Math.max(1, characters), characters }];
    })
    .filter(({ encoding, rating }) => rating >= MIN_RATING || encoding === USUAL);
  const usual = inOrder.find(({ encoding }) => encoding === USUAL);
  const leads = (one: Rated) => usual === undefined || isAhead(one, usual, sample);
  const rated = inOrder.toSorted(
    (one, other) => Number(leads(other)) - Number(leads(one)) || other.rating - one.rating,
  );
  return rated.map(({ text, rating, characters, ...likeliest }) => {
    // Several encodings may give the same text; the usual one is reported.
    const { encoding } = inOrder.find((other) => other.text === text) ?? likeliest;
    const others = inOrder.filter((other) => isOther(other.text, text));
    const lead = rating - Math.max(0, ...others.map((other) => other.rating));
    const bytes = encoding in WIDE ? 2 * characters : characters;
    const isSure = rating >= SURE_RATING && lead >= SURE_LEAD && bytes >= SURE_BYTES;
    return { encoding, isSure };
  });
}

/** Whether an encoding may be preferred to the usual one. */
function isAhead({ encoding, rating }: Rated, usual: Rated, sample: Uint8Array): boolean {
  if (encoding === USUAL) return true;
  const lead = rating - usual.rating;
  // The classic Mac OS ended lines with a carriage return alone.
  const hasReturns = sample.includes(RETURN) && !sample.includes(LINE_FEED);
  if (encoding === 'macintosh' && hasReturns) return lead > 0;
  const isNear = NEAR_USUAL.has(encoding);
  if (!isNear && usual.rating >= ALL_IN_PLACE) return false;
  const { each, all } = isNear ? MIN_LEAD_OF_NEAR : MIN_LEAD_OF_FAR;
  return lead >= each && lead * usual.characters >= all;
}

/** Whether two readings differ in more than an accent or sign here and there. */
function isOther(one: string, other: string): boolean {
  if (one.length !== other.length) return true;
  let differing = 0;
  let beyondAscii = 0;
  for (let at = 0; at < one.length; at++) {
    if (one.charCodeAt(at) >= 0x80) beyondAscii++;
    if (one.charCodeAt(at) !== other.charCodeAt(at)) differing++;
  }
  return differing > MAX_SAME * beyondAscii;
}

/** The first lines with bytes beyond ASCII; no encoding has a line feed within a character. */
function sampleLines(content: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = [];
  let length = 0;
  for (let at = 0; at < content.length && length < SAMPLE_BYTES;) {
    const first = content.subarray(at).findIndex((byte) => byte >= 0x80);
    if (first === -1) break;
    // The bytes before it are ASCII, so no character is cut in two.
    const start = Math.max(
      at,
      content.lastIndexOf(LINE_FEED, at + first) + 1,
      at + first - CONTEXT,
    );
    const end = content.indexOf(LINE_FEED, at + first);
    const stop = Math.min(end === -1 ? content.length : end + 1, start + SAMPLE_BYTES - length);
    lines.push(content.subarray(start, stop));
    length += stop - start;
    at = stop;
  }
  return Buffer.concat(lines);
}
