import { describe, expect, it } from '@jest/globals';
import { toComparableName } from './person-name.js';

describe(toComparableName, () => {
  it.each([
    ['bob@x.org', 'Bob@X.org', 'BOB@x.ORG'],
    ['Jos\u00e9', 'Jose\u0301', 'JOS\u00c9', 'JOSE\u0301'],
    ['\u00c5ngstr\u00f6m', 'A\u030angstro\u0308m', '\u212bngström', 'ångström'],
    ['Οδυσσεύς', 'ΟΔΥΣΣΕΎΣ', 'οδυσσεύσ', 'Οδυσσεύς'.normalize('NFD')],
    ['Йорг', 'ЙОРГ', 'йорг'.normalize('NFD')],
    ['Straße', 'STRAẞE', 'straße'],
    ['İpek', 'I\u0307pek'],
    ['가나', '가나'.normalize('NFD')],
    ['Ｂｏｂ', 'ｂｏｂ'],
  ])('is the same for %s and other spellings', (...spellings) => {
    const [first = '', ...others] = spellings.map(toComparableName);
    expect(others).toEqual(others.map(() => first));
    expect(toComparableName(first)).toBe(first);
  });

  it.each([
    ['bob', 'bobby'],
    ['jose', 'josé'],
    ['weiß', 'weiss'],
    ['bob', 'ｂｏｂ'],
    ['ı', 'i'],
  ])('keeps %s and %s apart', (one, other) => {
    expect(toComparableName(one)).not.toBe(toComparableName(other));
  });
});
