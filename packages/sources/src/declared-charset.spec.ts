import { describe, expect, it } from '@jest/globals';
import { CharsetCheck, readDeclaredCharset } from './declared-charset.js';

const of = (type: string) => readDeclaredCharset(new Headers({ 'content-type': type })).charset;

async function checked(charset: string | undefined, bytes: readonly number[] | string) {
  const content = Buffer.from(bytes as string);
  const check = new CharsetCheck(charset);
  const read: Buffer[] = [];
  const parts = (async function* () {
    // One byte at a time, so that characters are cut.
    for (const byte of content) yield await Promise.resolve(Buffer.from([byte]));
  })();
  for await (const part of check.checkParts(parts)) read.push(part);
  expect(Buffer.concat(read)).toEqual(content);
  return check.charset;
}

describe(readDeclaredCharset.name, () => {
  it('reads the parameter of a media type', () => {
    expect(of('text/csv; header=present; Charset="windows-1250"')).toBe('windows-1250');
    expect(of("text/plain;charset='Shift_JIS'")).toBe('Shift_JIS');
    expect(of('text/csv')).toBeUndefined();
  });
});

describe(CharsetCheck.name, () => {
  it.each([
    ['windows-1250', [0xa3, 0x75, 0x6b], 'windows-1250'],
    ['Shift_JIS', [0x95, 0x69, 0x96, 0xbc], 'shift_jis'],
    ['koi8-r', [0xf0, 0xd2, 0xc9], 'koi8-r'],
    ['iso-8859-7', [0xc1, 0xe8, 0xde], 'iso-8859-7'],
  ])('keeps the name where the text is in it: %s', async (charset, bytes, expected) => {
    expect(await checked(charset, bytes)).toBe(expected);
  });

  it.each([
    ['of another encoding', 'euc-jp', [0x95, 0x69, 0x96]],
    ['cut within a character', 'shift_jis', [0x61, 0x95]],
    ['unknown', 'klingon', [0xa3]],
    ['UTF-8 for another one', 'utf-8', [0xa3, 0x75]],
    ['wrong for UTF-8', 'iso-8859-1', 'Łukasz'],
    ['of no matter for ASCII', 'iso-8859-1', 'Lukasz'],
    ['missing', undefined, [0xa3]],
  ])('drops a name that is %s', async (_, charset, bytes) => {
    expect(await checked(charset, bytes)).toBeUndefined();
  });
});
