import { describe, expect, it } from '@jest/globals';
import { parseRange } from './byte-range.js';

const ETAG = '"abc"';

describe(parseRange, () => {
  it.each([
    ['bytes=0-9', [0, 9]],
    ['bytes=90-', [90, 99]],
    ['bytes=90-1000', [90, 99]],
    ['bytes=-10', [90, 99]],
    ['bytes=-1000', [0, 99]],
    ['Bytes=5-5', [5, 5]],
  ])('%s of 100 bytes', (range, [first, last]) => {
    expect(parseRange({ range }, 100, ETAG)).toEqual({ first, last });
  });

  it.each([undefined, 'bytes=-', 'bytes=9-3', 'bytes=0-1,5-6', 'lines=0-9', 'bytes=a-b'])(
    '%j asks for the whole content',
    (range) => {
      expect(parseRange({ range }, 100, ETAG)).toBeUndefined();
    },
  );

  it.each([
    ['bytes=100-', 100],
    ['bytes=-0', 100],
    ['bytes=0-', 0],
  ])('%s cannot be had of %d bytes', (range, sizeBytes) => {
    expect(() => parseRange({ range }, sizeBytes, ETAG)).toThrow(
      expect.objectContaining({
        code: 'range_not_satisfiable',
        headers: { 'content-range': `bytes */${sizeBytes}` },
      }),
    );
  });

  it('is of the content that the client knows, else everything', () => {
    const range = 'bytes=0-9';
    expect(parseRange({ range, 'if-range': ETAG }, 100, ETAG)).toEqual({ first: 0, last: 9 });
    expect(parseRange({ range, 'if-range': '"old"' }, 100, ETAG)).toBeUndefined();
  });
});
