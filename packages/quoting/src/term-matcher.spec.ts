import { describe, expect, it } from '@jest/globals';
import { TermMatcher } from './term-matcher.js';

/** How well a term with one stem is matched by a text of one stem; 0 if it is not. */
function match(term: string, stem: string): number {
  const question = { word: term, stems: [term], weight: 1, isKnown: true, mayBeName: false };
  return new TermMatcher([question]).match([stem]).get(question) ?? 0;
}

describe(TermMatcher.name, () => {
  it('matches equal stems', () => {
    expect(match('bahn', 'bahn')).toBe(1);
    expect(match('bahn', 'boot')).toBe(0);
  });

  it('matches stems with a long common beginning as equal ones', () => {
    expect(match('primzahl', 'primzahlen')).toBe(1);
  });

  it('matches a compound and its first or last part', () => {
    for (const [compound = '', part = ''] of [
      ['kostumsammlung', 'sammlung'],
      ['apothekentechnik', 'apothek'],
      ['kabinettminist', 'minist'],
    ]) {
      expect(match(compound, part)).toBe(1);
      expect(match(part, compound)).toBe(match(compound, part));
    }
  });

  it('matches an Arabic word with a particle before it and without', () => {
    expect(match('لعياد', 'عياد')).toBe(1);
    expect(match('عياد', 'بعياد')).toBe(1);
    expect(match('ولد', 'لد')).toBe(0);
  });

  it('partly matches words with a common beginning', () => {
    expect(match('stern', 'sternwarte')).toBe(1);
    expect(match('sternbild', 'sternwarte')).toBeGreaterThan(0);
    expect(match('sternbild', 'sternwarte')).toBeLessThan(1);
  });

  it('does not match words that only have an ending in common', () => {
    expect(match('verfassung', 'besatzung')).toBe(0);
    expect(match('nation', 'operation')).toBe(0);
  });
});
