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

  it.each([
    [' =1+1', `' =1+1`],
    ['\u00a0\u200b=1+1', `'\u00a0\u200b=1+1`],
    ['\ufeff@SUM(A1)', `'\ufeff@SUM(A1)`],
    ['\t \r+1', `'\t \r+1`],
    ['\n=1', `'\n=1`],
    ['＝1+1', `'＝1+1`],
    ['＋1', `'＋1`],
    ['－1', `'－1`],
    ['＠SUM(A1)', `'＠SUM(A1)`],
    ['\u3000＝1', `'\u3000＝1`],
    ['\u22121', `'\u22121`],
    ['a;=1+1', `a;'=1+1`],
    ['a; ＝1;@b', `a;' ＝1;'@b`],
    ['a\t-1', `a\t'-1`],
    ['a\n=1\r\n+2', `a\n'=1\r\n'+2`],
    ['=1;=2', `'=1;'=2`],
  ])('makes no formula of what begins one elsewhere: %j', (text, cell) => {
    expect(toCsv([[text]])).toBe(/[;\t\r\n]/.test(cell) ? `"${cell}"\r\n` : `${cell}\r\n`);
  });

  it.each(['a-b', '2026-04-01', 'a = b', 'a, -b', 'bob+news@x.org', '１－２'])(
    'leaves %j',
    (text) => {
      expect(toCsv([[text]]).replaceAll('"', '')).toBe(`${text}\r\n`);
    },
  );

  it('leaves numbers as they are', () => {
    expect(toCsv([[-1, 0.000112]])).toBe('-1,0.000112\r\n');
  });
});
