import { isAscii, isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import { encodingByBytes } from './marked-encoding.js';
import { Unreadable } from './unreadable.js';

const ESCAPE = 0x1b;
/** Bytes that are searched for a declaration of the encoding. */
const DECLARATION_BYTES = 2048;
/** Bytes from which an encoding is guessed. */
const SAMPLE_BYTES = 64 * 1024;
/** Of 100. Guesses of a lower confidence are mostly wrong. */
const MIN_CONFIDENCE = 20;

/** Of the letters beyond ASCII; a shorter text may be in another script. */
const MIN_LETTERS = 4;
const MOST_LETTERS = 0.9;
/** The characters of code page 850 from 0x80 on, which DOS wrote in Western Europe. */
const DOS_FROM_0X80 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤' +
  'ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

/** What text does not contain: control characters and the replacement character. */
// eslint-disable-next-line no-control-regex
const NOT_TEXT = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffd]/;

/** The characters of windows-1252 from 0x80 to 0x9f, where Latin-1 has control characters. */
const WINDOWS_1252_FROM_0X80 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/**
 * Decodes text by, in this order, its byte order mark or form of UTF-16, UTF-8 where that is valid, the encoding that
 * the document declares, the most likely encoding.
 *
 * @throws Unreadable where the result would have wrong characters
 */
export function decodeText(content: Uint8Array): string {
  const marked = encodingByBytes(content);
  if (marked !== undefined) return decode(content, marked) ?? refuse();
  // ASCII with escape characters is ISO-2022.
  if (isUtf8(content) && !(isAscii(content) && content.includes(ESCAPE))) {
    return new TextDecoder().decode(content);
  }
  const encoding = declaredEncoding(content) ?? likelyEncoding(content);
  const text = encoding === undefined ? undefined : decode(content, encoding);
  if (isBrokenUtf8(content)) refuse();
  return text === undefined || NOT_TEXT.test(text) ? (decodeRare(content) ?? refuse()) : text;
}

/** Text of encodings that are not guessed, or of too few words, where nearly all of it is in their script. */
function decodeRare(content: Uint8Array): string | undefined {
  const decoded = [
    [decode(content, 'windows-874'), /\p{sc=Thai}/gu],
    [decode(content, 'euc-kr'), /\p{sc=Hangul}/gu],
    [decodeDos(content), /[\u00c0-\u00ff]/gu],
  ] as const;
  return decoded.find(([text, letters]) => {
    if (text === undefined || NOT_TEXT.test(text)) return false;
    const found = text.match(letters)?.length ?? 0;
    const all = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
    return found >= MIN_LETTERS && found >= MOST_LETTERS * all;
  })?.[0];
}

/** The encoding of `<meta charset>` or of an XML declaration. */
function declaredEncoding(content: Uint8Array): string | undefined {
  const start = Buffer.from(content.subarray(0, DECLARATION_BYTES)).toString('latin1');
  return /<(?:meta|\?xml)\b[^>]*?\b(?:charset|encoding)\s*=\s*["']?([\w:.-]+)/i.exec(start)?.[1];
}

function likelyEncoding(content: Uint8Array): string | undefined {
  const guesses = analyse(content.subarray(0, SAMPLE_BYTES)).filter(({ name }) => name !== 'ASCII');
  const [best] = guesses;
  if (!best || best.confidence < MIN_CONFIDENCE) return undefined;
  // They differ in Ά, which is 0xb6 in ISO-8859-7; in windows-1253 that is ¶.
  return best.name === 'ISO-8859-7' && !content.includes(0xb6) ? 'windows-1253' : best.name;
}

/** Whether most of the non-ASCII characters are valid UTF-8, as in text of no other encoding. */
function isBrokenUtf8(content: Uint8Array): boolean {
  const text = new TextDecoder().decode(content.subarray(0, SAMPLE_BYTES));
  const invalid = text.match(/\ufffd/g)?.length ?? 0;
  const valid = text.match(/[\u0080-\ufffc\ufffe\uffff]/g)?.length ?? 0;
  return valid > invalid;
}

function decode(content: Uint8Array, encoding: string): string | undefined {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    // Some releases of Node.js 22 decode Latin-1 under this name.
    if (decoder.encoding === 'windows-1252') return decodeWindows1252(content);
    return decoder.decode(content);
  } catch {
    // The encoding is unknown, or the content is not in it.
    return undefined;
  }
}

const decodeWindows1252 = (content: Uint8Array): string =>
  Buffer.from(content)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (char) => WINDOWS_1252_FROM_0X80.charAt(char.charCodeAt(0) - 0x80));

const decodeDos = (content: Uint8Array): string =>
  Buffer.from(content)
    .toString('latin1')
    .replace(/[\x80-\xff]/g, (char) => DOS_FROM_0X80.charAt(char.charCodeAt(0) - 0x80));

function refuse(): never {
  throw new Unreadable(
    'parse_failed',
    'The encoding of the text cannot be told; save it as UTF-8.',
  );
}
