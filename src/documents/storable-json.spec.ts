import { describe, expect, it } from '@jest/globals';
import { storableJson } from './storable-json.js';

describe(storableJson, () => {
  it('keeps what can be stored', () => {
    expect(storableJson({ sheet: 'Umsatz “2026” 🐧', row: 12 })).toEqual({
      sheet: 'Umsatz “2026” 🐧',
      row: 12,
    });
  });

  it('removes NUL, replaces lone surrogates, and cuts long texts', () => {
    expect(storableJson({ chapter: 'a\0b\ud800' })).toEqual({ chapter: 'ab\ufffd' });
    const { chapter } = storableJson({ chapter: `${'x'.repeat(499)}🐧🐧` });
    expect(chapter).toBe(`${'x'.repeat(499)}\ufffd`);
  });
});
