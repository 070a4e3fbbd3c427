import { describe, expect, it } from '@jest/globals';
import { withExactDigits } from './exact-digits.js';

describe(withExactDigits, () => {
  it.each([
    ['4.00638E+12', '4006381333931', '4006381333931'],
    ['-4,00638E+12', '-4006381333931', '-4006381333931'],
    ['4.01E+12 pcs', '4.006381333931E12', '4006381333931 pcs'],
    ['1E+11', '100000000000', '100000000000'],
    ['1.23457E+11', '123456789012.10001', '123456789012.1'],
    ['1098765432109880000', '1098765432109876543', '1098765432109876543'],
    ['1.09877E+18', '1098765432109876543', '1098765432109876543'],
  ])('%s of the value %s is %s', (text, value, exact) => {
    expect(withExactDigits({ text, value, isGeneral: true })).toBe(exact);
  });

  it.each([
    ['6.02214E+23', '6.02214076E+23'],
    ['12345678901', '12345678901'],
    ['4,006,381,333,931', '4006381333931'],
    ['0400638133393', '400638133393'],
    ['2026-01-01', '46023'],
    ['2.5E+15', '2500000000000000'],
  ])('%s of the value %s stays', (text, value) => {
    expect(withExactDigits({ text, value, isGeneral: false })).toBe(text);
  });
});
