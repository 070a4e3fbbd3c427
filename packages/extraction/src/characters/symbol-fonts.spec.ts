import { describe, expect, it } from '@jest/globals';
import { isSymbolFont, readSymbols } from './symbol-fonts.js';

describe(readSymbols.name, () => {
  it.each([
    ['Symbol', '\u00a3', '≤'],
    ['Symbol', '\uf0a3 \uf0b3', '≤ ≥'],
    ['Symbol', '\uf0b10.5', '±0.5'],
    ['Symbol', '20 \uf0b0C', '20 °Χ'],
    ['Symbol', 'W m', 'Ω μ'],
    ['Symbol', '\uf057\uf06d\uf044\uf053', 'ΩμΔΣ'],
    ['Symbol', '\uf0b4\uf0b8\uf0b9\uf0bb\uf0a5\uf0ae\uf0d6\uf0e5\uf0f2', '×÷≠≈∞→√∑∫'],
    ['"Symbol", serif', '\uf0a3', '≤'],
    ['Symbol', '≤ 7 –\u00a0ж', '≤ 7 –\u00a0ж'],
    ['Wingdings', '\uf0fc', '✓'],
    ['Wingdings', 'üûþýox', '✓✗☑☒□⌧'],
    ['Wingdings', '\uf0e0\uf0df\uf04a\uf081\uf0a7\uf0d8', '→←☺①▪➢'],
    ['Wingdings', 'a\uf0ff', '♋'],
    ['Wingdings 2', 'P\uf052\uf0a3', '✓☑□'],
    ['Wingdings 3', '"p', '→▲'],
    ['Webdings', 'ar', '✔✖'],
    ['ZapfDingbats', '4', '✔'],
    ['Arial', '\uf0a3 W', '\uf0a3 W'],
    [undefined, 'W', 'W'],
  ])('of %s reads %j as %j', (font, text, read) => {
    expect(readSymbols(text, font)).toBe(read);
  });

  it('has each code of Symbol in its place', () => {
    const codes = Array.from({ length: 0x100 - 0x20 }, (_, at) =>
      String.fromCodePoint(0xf020 + at),
    );
    const all = Array.from(readSymbols(codes.join(''), 'Symbol'));
    expect(all).toHaveLength(codes.length);
    // The last of each row of the table.
    expect([0x3f, 0x5f, 0x7e, 0xbf, 0xdf, 0xfe].map((code) => all[code - 0x20])).toEqual(
      Array.from('?_∼↵⇓⎭'),
    );
  });
});

describe(isSymbolFont.name, () => {
  it.each(['Symbol', 'Wingdings', 'wingdings 2'])('knows %s', (font) => {
    expect(isSymbolFont(font)).toBe(true);
  });

  it.each(['Segoe UI Symbol', 'Arial', undefined])('takes %s for letters', (font) => {
    expect(isSymbolFont(font)).toBe(false);
  });
});
