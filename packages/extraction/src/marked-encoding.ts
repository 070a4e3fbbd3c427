import { isAscii } from 'node:buffer';

const SAMPLE_BYTES = 4096;
const MIN_BYTES = 8;
/** The share of spaces and line ends in text; one of their two bytes in UTF-16 is zero. */
const MIN_ZERO_SHARE = 0.03;
/** Characters that result from decoding bytes that are not text. */
// eslint-disable-next-line no-control-regex
const NO_TEXT = /[\p{Cn}\p{Co}\p{Cs}\0-\x08\x0e-\x1f\x7f]/u;

/** Characters of Chinese, Japanese and Korean text. */
const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef\s!-~]/gu;
/** Frequent characters of such text, which seldom result from bytes in another encoding. */
const FREQUENT_CJK = /[ \n、。，\u3041-\u3096]/g;
const MIN_CJK_SHARE = 0.95;
const MIN_FREQUENT_SHARE = 0.03;

const BYTE_ORDER_MARKS: [encoding: string, mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** The encoding that a byte order mark names. */
export const findMarkedEncoding = (content: Uint8Array): string | undefined =>
  BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => content[index] === byte))?.[0];

/** The encoding that a byte order mark names, or that of UTF-16 without one. */
export const detectByBytes = (bytes: Uint8Array): string | undefined =>
  findMarkedEncoding(bytes) ?? detectUnmarkedUtf16(bytes) ?? detectUnmarkedCjk(bytes);

/** Detects UTF-16 without a byte order mark, in which only every second byte is ever zero. */
function detectUnmarkedUtf16(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, Math.min(bytes.length, SAMPLE_BYTES) & ~1);
  if (bytes.length % 2 === 1 || sample.length < MIN_BYTES) return undefined;
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries())
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.min(even, odd) > 0 || Math.max(even, odd) < (MIN_ZERO_SHARE * sample.length) / 2)
    return undefined;
  const encoding = odd > 0 ? 'utf-16le' : 'utf-16be';
  const text = new TextDecoder(encoding).decode(sample, { stream: true });
  return NO_TEXT.test(text) ? undefined : encoding;
}

/** Detects UTF-16 of a script without spaces, or whose characters have zeros in either byte. */
function detectUnmarkedCjk(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, Math.min(bytes.length, SAMPLE_BYTES) & ~1);
  if (bytes.length % 2 === 1 || sample.length < MIN_BYTES || isAscii(sample)) return undefined;
  return ['utf-16le', 'utf-16be'].find((encoding) => {
    const text = new TextDecoder(encoding).decode(sample, { stream: true });
    const share = (chars: RegExp) => (text.match(chars)?.length ?? 0) / text.length;
    return (
      !NO_TEXT.test(text) &&
      share(CJK) >= MIN_CJK_SHARE &&
      share(FREQUENT_CJK) >= MIN_FREQUENT_SHARE
    );
  });
}
