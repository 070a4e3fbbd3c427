import { describe, expect, it } from '@jest/globals';
import { toCsv } from './csv.js';

describe(toCsv, () => {
  it('quotes what separates cells and rows', () => {
    expect(
      toCsv([
        ['a,b', 'say "hi"', 'two\nlines'],
        ['', 1.5],
      ]),
    ).toBe('"a,b","say ""hi""","two\nlines"\r\n,1.5\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
    'makes no formula of a text: %j',
    (text) => {
      expect(toCsv([[text]]).replaceAll('"', '')).toBe(`'${text}\r\n`);
    },
  );

  it('leaves numbers as they are', () => {
    expect(toCsv([[-1, 0.000112]])).toBe('-1,0.000112\r\n');
  });
});
