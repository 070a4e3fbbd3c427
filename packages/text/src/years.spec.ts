import { describe, expect, it } from '@jest/globals';
import { findRelativeYear, findYears } from './years.js';

describe(findYears.name, () => {
  it.each([
    ['Rates 2025', [2025]],
    ['rates-2025', [2025]],
    ['差旅标准2024', [2024]],
    ['قائمة الأسعار ٢٠٢٥', [2025]],
    ['From 2024 to 2026', [2024, 2026]],
    ['On 01.03.2025', [2025]],
    ['Model X2025, 20255 pieces, 1850', []],
  ])('finds the years of “%s”', (text, years) => {
    expect([...findYears(text)]).toEqual(years);
  });
});

describe(findRelativeYear.name, () => {
  const NOW = new Date('2026-06-15T12:00:00Z');

  it.each([
    ['What was the rate last year?', 2025],
    ['Wie hoch ist der Beitrag dieses Jahr?', 2026],
    ['¿Cuánto costaba el año pasado?', 2025],
    ['去年的住宿费标准是多少？', 2025],
    ['What is the rate?', undefined],
    ['Is the rate of this year that of last year?', undefined],
  ])('knows the year of “%s”', (question, year) => {
    expect(findRelativeYear(question, NOW)).toBe(year);
  });
});
