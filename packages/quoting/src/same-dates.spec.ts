import { describe, expect, it } from '@jest/globals';
import { findDates, findWordsOfSameDates } from './same-dates.js';

describe(findWordsOfSameDates, () => {
  it.each([
    ['9 February 2026', 'en', 'The council met on 2026-02-09.', 'en'],
    ['5 April 2026', 'en', 'On 5.4.2026 the canteen was renovated.', 'en'],
    ['2026-10-14', 'en', 'The audit ended on 14 October 2026.', 'en'],
    ['2026-10-14', 'en', 'The audit ended on October 14th, 2026.', 'en'],
    ['March 3rd, 2026', 'en', 'Delivered 03/03/2026.', 'en'],
    ['9. Februar 2026', 'de', 'Sitzung vom 09.02.2026', 'de'],
    ['9 de febrero de 2026', 'es', 'Reunión: 9/2/2026', 'es'],
    ['9 février 2026', 'fr', 'Réunion du 2026-02-09', 'fr'],
    ['9 lutego 2026', 'pl', 'Zebranie 2026-02-09', 'pl'],
    ['9 февраля 2026', 'ru', 'Собрание 09.02.2026', 'ru'],
    ['2026年2月9日', 'ja', '会議 2026-02-09', 'ja'],
    ['9 February', 'en', 'The council met on 2026-02-09.', 'en'],
    ['9 February 2026', 'en', 'Sitzung vom 9. Februar 2026', 'de'],
    ['9.2.26', 'de', 'Sitzung vom 9. Februar 2026', 'de'],
    ['09/02/26', 'en', 'The council met on 9 February 2026.', 'en'],
    ['Sept 3, 2026', 'en', 'Delivered 2026-09-03.', 'en'],
    ['2月9日', 'ja', '会議 2026-02-09', 'ja'],
    ['9 בפברואר 2026', 'he', '2026-02-09', 'he'],
    ['9 Şubat 2026', 'tr', '2026-02-09', 'tr'],
  ])('finds %j (%s) in %j (%s)', (asked, askedIn, text, language) => {
    const codes = [askedIn, language];
    expect(findWordsOfSameDates(findDates(asked, codes), text, codes)).not.toEqual([]);
  });

  it.each([
    ['10 February 2026', 'The council met on 2026-02-09.'],
    ['9 February 2025', 'The council met on 2026-02-09.'],
    ['2 September 2026', 'The council met on 2026-02-09.'],
    ['9 February 2026', 'Version 9.2.20260 of February.'],
    ['9 February 2026', 'The council met on 9 February.'],
    ['9.2.25', 'The council met on 2026-02-09.'],
    ['2025年2月9日', '2026年2月9日'],
    ['9 apples 2026', 'The council met on 2026-02-09.'],
  ])('does not find %j in %j', (asked, text) => {
    expect(findWordsOfSameDates(findDates(asked, ['en']), text, ['en'])).toEqual([]);
  });

  it('takes no longer for a text made to be slow', () => {
    expect(findDates(`${'1 a'.repeat(20_000)}${'a'.repeat(50_000)}`, ['en'])).toEqual([]);
  });
});
