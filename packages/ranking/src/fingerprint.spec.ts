import { describe, expect, it } from '@jest/globals';
import { hashWord, readFingerprint, getTextWords, writeFingerprint } from './fingerprint.js';

describe('a fingerprint', () => {
  const fields = [['policy'], ['refunds'], ['paid', 'days']];

  it('is read as it was written, from any offset', () => {
    const bytes = writeFingerprint('Paid within days', fields);
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    const read = readFingerprint(bytes);
    expect(readFingerprint(shifted.subarray(1))).toEqual(read);
    expect([...read.words]).toEqual(
      ['policy', '', 'refunds', '', 'paid', 'days'].map((word) => (word ? hashWord(word) : 0)),
    );
  });

  it('knows the words of the text from those of title and heading', () => {
    const read = readFingerprint(writeFingerprint('', fields));
    expect([...getTextWords(read)]).toEqual(['paid', 'days'].map(hashWord));
  });

  it('is the same whatever white space the text has', () => {
    const textOf = (text: string) => readFingerprint(writeFingerprint(text, fields)).text;
    expect(textOf(' Paid\n within  days')).toBe(textOf('Paid within days'));
    expect(textOf('Paid within days')).not.toBe(textOf('paid within days'));
  });
});
