import { describe, expect, it } from '@jest/globals';
import { findCountedNumbers, findSameNumbers } from './same-numbers.js';

describe(findSameNumbers, () => {
  it.each([
    ['May I stay 2 days?', 'en', 'You may stay two days.', 'en', ['2']],
    ['May I stay fourteen days?', 'en', 'You may stay 14 days.', 'en', ['fourteen']],
    ['Darf ich vierzehn Tage bleiben?', 'de', 'Höchstens 14 Tage.', 'de', ['vierzehn']],
    ['¿Dos semanas?', 'es', 'Son 2 semanas.', 'es', ['dos']],
    ['Czy trzy dni wystarczą?', 'pl', 'Potrzeba 3 dni.', 'pl', ['trzy']],
  ])('finds %j (%s) in %j (%s)', (question, language, text, textLanguage, words) => {
    expect(findSameNumbers(findCountedNumbers(question, language), text, textLanguage)).toEqual(
      words,
    );
  });

  it.each([
    ['three years', '3 months'],
    ['two days', '12 days, 2.5 days or 2:30'],
    ['two', '2 days'],
  ])('does not find %j in %j', (question, text) => {
    expect(findSameNumbers(findCountedNumbers(question, 'en'), text, 'en')).toEqual([]);
  });
});

describe(findCountedNumbers, () => {
  it('has each number once, and twenty at most', () => {
    expect(findCountedNumbers('two '.repeat(1990), 'en')).toHaveLength(1);
    const many = Array.from({ length: 100 }, (_, index) => `${index} days`).join(', ');
    expect(findCountedNumbers(many, 'en')).toHaveLength(20);
  });
});
