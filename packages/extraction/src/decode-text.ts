import { isAscii, isUtf8 } from 'node:buffer';
import type { ReadingContext } from './block.js';
import { decode, decodeBytes } from './encodings.js';
import { guessEncodings } from './guess-encoding.js';
import { detectByBytes } from './marked-encoding.js';
import { Unreadable } from './unreadable.js';

const ESCAPE = 0x1b;
/** Bytes that are searched for a declaration of the encoding. */
const DECLARATION_BYTES = 2048;
/** Bytes that are looked at to tell broken UTF-8 from another encoding. */
const SAMPLE_BYTES = 64 * 1024;

/**
 * Decodes text by, in this order, its byte order mark or form of UTF-16, the encoding that its sender names, UTF-8
 * where that is valid, the encoding that the document declares, the likeliest encoding.
 *
 * @param context which is warned where the encoding is a doubtful guess
 * @throws Unreadable where the result would have wrong characters
 */
export function decodeText(
  content: Uint8Array,
  context?: Pick<ReadingContext, 'charset' | 'warn'>,
): string {
  const marked = detectByBytes(content);
  if (marked !== undefined) return decodeBytes(content, marked) ?? refuse();
  if (context?.charset !== undefined) return decodeNamed(content, context.charset);
  if (isAscii(content) && content.includes(ESCAPE)) {
    return decode(content, 'iso-2022-jp') ?? Buffer.from(content).toString('latin1');
  }
  if (isUtf8(content)) return new TextDecoder().decode(content);
  const declared = findDeclaredEncoding(content);
  if (declared !== undefined) return decode(content, declared) ?? refuse();
  return isBrokenUtf8(content) ? refuse() : decodeLikely(content, context);
}

function decodeNamed(content: Uint8Array, charset: string): string {
  const text = decodeBytes(content, charset);
  if (text !== undefined) return text;
  throw new Unreadable(
    'parse_failed',
    `The text is not in the encoding ${charset}: see \`charset\`.`,
  );
}

function decodeLikely(content: Uint8Array, context?: Pick<ReadingContext, 'warn'>): string {
  for (const { encoding, isSure } of guessEncodings(content)) {
    const text = decode(content, encoding);
    if (text === undefined) continue;
    if (!isSure) context?.warn({ code: 'encoding_guessed', what: encoding });
    return text;
  }
  return refuse();
}

/** The encoding of `<meta charset>` or of an XML declaration. */
function findDeclaredEncoding(content: Uint8Array): string | undefined {
  const start = Buffer.from(content.subarray(0, DECLARATION_BYTES)).toString('latin1');
  return /<(?:meta|\?xml)\b[^>]*?\b(?:charset|encoding)\s*=\s*["']?([\w:.-]+)/i.exec(start)?.[1];
}

/** Whether most of the non-ASCII characters are valid UTF-8, as in text of no other encoding. */
function isBrokenUtf8(content: Uint8Array): boolean {
  const text = new TextDecoder().decode(content.subarray(0, SAMPLE_BYTES));
  const invalid = text.match(/\ufffd/g)?.length ?? 0;
  const valid = text.match(/[\u0080-\ufffc\ufffe\uffff]/g)?.length ?? 0;
  return valid > invalid;
}

function refuse(): never {
  throw new Unreadable(
    'parse_failed',
    'The encoding of the text cannot be told; name it in `charset`, or save it as UTF-8.',
  );
}
