import { describe, expect, it } from '@jest/globals';
import { findDatesWithin } from './calendar-ranges.js';

describe(findDatesWithin, () => {
  it.each([
    ['en', 'wednesday', 'Open Monday to Friday, 9 am to 5 pm.'],
    ['en', 'wednesday', 'Hours | Mon–Fri 9–17'],
    ['en', 'july', 'Swimming is forbidden from May to September.'],
    ['en', 'january', 'The kiosk is closed November to February.'],
    ['de', 'mittwoch', 'Geöffnet Mo–Fr von 8 bis 17 Uhr.'],
    ['fr', 'mercredi', 'Ouvert du lundi au vendredi.'],
    ['it', 'giovedi', 'Aperto dal lunedì al venerdì.'],
    ['pt', 'terca', 'Segunda a sexta das 6h às 23h.'],
    ['pl', 'srode', 'Biuro czynne od poniedziałku do piątku.'],
    ['ru', 'среду', 'С понедельника по пятницу.'],
    ['nl', 'dinsdag', 'Bereikbaar van maandag tot en met vrijdag.'],
    ['he', 'שני', 'פתוח ראשון עד חמישי'],
    ['fa', 'دوشنبه', 'شنبه تا چهارشنبه از ساعت ۸'],
  ])('knows the day or month of %s: %s in “%s”', (language, word, text) => {
    expect(findDatesWithin([word], language, text, language)).toEqual([word]);
  });

  it('knows it across languages', () => {
    expect(findDatesWithin(['mittwoch'], 'de', 'Open Monday to Friday.', 'en')).toEqual([
      'mittwoch',
    ]);
  });

  it.each([
    ['en', 'sunday', 'Open Monday to Friday.'],
    ['en', 'wednesday', 'Open on Monday and Friday.'],
    ['en', 'opening', 'Open Monday to Friday.'],
    ['en', 'april', 'Forbidden from May to September.'],
  ])('does not take %s %s for one in “%s”', (language, word, text) => {
    expect(findDatesWithin([word], language, text, language)).toEqual([]);
  });
});
