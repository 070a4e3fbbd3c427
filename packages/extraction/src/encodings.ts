/** Characters that text never contains: control characters and the replacement character. */
// eslint-disable-next-line no-control-regex
export const NOT_TEXT = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffd]/;

/** The characters of code page 850 from 0x80 on, which DOS wrote in Western Europe. */
const DOS_FROM_0X80 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤' +
  'ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

/** The characters of windows-1252 from 0x80 to 0x9f, where Latin-1 has control characters. */
const WINDOWS_1252_FROM_0X80 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

const DOS = new Set(['ibm850', 'cp850', '850', 'ibm-850', 'csibm850', 'dos-850']);

/** The name by which a decoder of the encoding calls it; undefined if there is none. */
export function findEncodingName(label: string): string | undefined {
  const name = label.trim().toLowerCase();
  if (DOS.has(name)) return 'ibm850';
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}

/**
 * @param isCut whether the end of the content may be within a character
 * @returns undefined where the encoding is unknown, or the content is not in it
 */
export function decode(content: Uint8Array, encoding: string, isCut = false): string | undefined {
  const name = findEncodingName(encoding);
  if (name === undefined) return undefined;
  const text = decodeBytes(content, name, isCut);
  return text === undefined || NOT_TEXT.test(text) ? undefined : text;
}

/** @param isCut whether its end may be within a character */
export function decodeBytes(content: Uint8Array, name: string, isCut = false): string | undefined {
  if (name === 'ibm850') return decodeLatin1With(content, DOS_FROM_0X80);
  // Some releases of Node.js 22 decode Latin-1 under this name.
  if (name === 'windows-1252') return decodeLatin1With(content, WINDOWS_1252_FROM_0X80);
  try {
    return new TextDecoder(name, { fatal: true }).decode(content, { stream: isCut });
  } catch {
    return undefined;
  }
}

/** Decodes as Latin-1, with other characters from 0x80 on. */
const decodeLatin1With = (content: Uint8Array, characters: string): string =>
  Buffer.from(content)
    .toString('latin1')
    .replace(/[\x80-\xff]/g, (char) => characters[char.charCodeAt(0) - 0x80] ?? char);
