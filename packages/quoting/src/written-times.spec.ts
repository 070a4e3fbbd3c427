import { describe, expect, it, jest } from '@jest/globals';
import { findSameNumbers } from './same-numbers.js';
import { findTimeWords } from './time-words.js';
import { findUnitKind } from './unit-names.js';
import { findQuantities } from './written-quantities.js';
import { findTimes } from './written-times.js';

describe(findTimes, () => {
  it('makes no format for each word', () => {
    const find = (times: number) => findTimes('Monday, x, '.repeat(times), 'en', []);
    find(1);
    const formats = jest.spyOn(Intl, 'DateTimeFormat');
    expect(find(20)).not.toHaveLength(0);
    expect(formats).not.toHaveBeenCalled();
    formats.mockRestore();
  });

  it.each(['x-private', 'zz', 'zzz', 'und', 'en-US-u-nu-thai', 'i-klingon', 'de_DE', '-', '', 'ü'])(
    'reads a text in the language %j',
    (language) => {
      const text = 'Open on Monday, 3 May 2026, from 9:00 to 17:00, for 2 hours.';
      const quantities = findQuantities(text, language, () => false);
      expect(findTimes(text, language, quantities)).not.toHaveLength(0);
      expect(() => findTimeWords(text, language)).not.toThrow();
      expect(() => findUnitKind('hours', language)).not.toThrow();
      expect(findSameNumbers([], text, language)).toEqual([]);
    },
  );
});
