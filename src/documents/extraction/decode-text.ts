import { isAscii, isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import { Unreadable } from './unreadable.js';

const BYTE_ORDER_MARKS: [encoding: string, mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
const ESCAPE = 0x1b;
/** Bytes in which an encoding is declared, and from which one is guessed. */
const DECLARATION = 2048;
const SAMPLE = 64 * 1024;
/** Of 100; below this a guess is no better than another one. */
const MIN_CONFIDENCE = 20;

/** What text does not contain: control characters, and what a decoder puts for the unknown. */
// eslint-disable-next-line no-control-regex
const MANGLED = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffd]/;

/** What windows-1252 has where Latin-1 has control characters, from 0x80. */
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/**
 * Text in whatever encoding it is: as its byte order mark says, UTF-8 where it is valid, as the
 * document declares, or else as it looks.
 *
 * @throws Unreadable rather than give text with characters that were not there
 */
export function decodeText(content: Uint8Array): string {
  const marked = markedEncoding(content);
  if (marked !== undefined) return decode(content, marked) ?? refuse();
  // Pure ASCII with escapes is ISO-2022.
  if (isUtf8(content) && !(isAscii(content) && content.includes(ESCAPE))) {
    return new TextDecoder().decode(content);
  }
  const encoding = declaredEncoding(content) ?? likelyEncoding(content);
  const text = encoding === undefined ? undefined : decode(content, encoding);
  return text === undefined || MANGLED.test(text) || isBrokenUtf8(content) ? refuse() : text;
}

/** The encoding that a byte order mark names. */
export const markedEncoding = (content: Uint8Array): string | undefined =>
  BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => content[index] === byte))?.[0];

/** `<meta charset>`, or what an XML declaration says. */
function declaredEncoding(content: Uint8Array): string | undefined {
  const start = Buffer.from(content.subarray(0, DECLARATION)).toString('latin1');
  return /<(?:meta|\?xml)\b[^>]*?\b(?:charset|encoding)\s*=\s*["']?([\w:.-]+)/i.exec(start)?.[1];
}

function likelyEncoding(content: Uint8Array): string | undefined {
  const guesses = analyse(content.subarray(0, SAMPLE)).filter(({ name }) => name !== 'ASCII');
  const [best] = guesses;
  return best && best.confidence >= MIN_CONFIDENCE ? best.name : undefined;
}

/** Text of other encodings holds hardly a character that is valid in UTF-8. */
function isBrokenUtf8(content: Uint8Array): boolean {
  const text = new TextDecoder().decode(content.subarray(0, SAMPLE));
  const invalid = text.match(/\ufffd/g)?.length ?? 0;
  const valid = text.match(/[\u0080-\ufffc\ufffe\uffff]/g)?.length ?? 0;
  return valid > invalid;
}

function decode(content: Uint8Array, encoding: string): string | undefined {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    // Node decodes Latin-1 under this name.
    if (decoder.encoding === 'windows-1252') return decodeWindows1252(content);
    return decoder.decode(content);
  } catch {
    // Not in that encoding, or in none that is known here.
    return undefined;
  }
}

const decodeWindows1252 = (content: Uint8Array): string =>
  Buffer.from(content)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (char) => WINDOWS_1252.charAt(char.charCodeAt(0) - 0x80));

function refuse(): never {
  throw new Unreadable(
    'parse_failed',
    'The encoding of the text cannot be told; save it as UTF-8.',
  );
}
