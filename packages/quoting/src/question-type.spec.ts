import { describe, expect, it } from '@jest/globals';
import { findAnswerType } from './question-type.js';

describe(findAnswerType, () => {
  it.each([
    ['time', 'it', 'A che ora apre il piazzale ai camion?'],
    ['time', 'en', 'What time does the pool close?'],
    ['time', 'pl', 'W jakich godzinach obowiązuje cisza nocna?'],
    ['number', 'de', 'Wie lange gilt der Gutschein?'],
    ['number', 'nl', 'Hoe lang is de garantie op de compressor?'],
    ['number', 'ja', '延長料金は一時間何円ですか'],
    ['person', 'vi', 'Ai quản lý ký túc xá?'],
    ['manner', 'nl', 'Hoe vul ik water bij?'],
    ['manner', 'nl', 'Hoe verander ik de tijdzone nadat alles klaar is?'],
    ['manner', 'de', 'Wie ändere ich meine Adresse?'],
    ['manner', 'fr', 'Que dois-je faire en cas de perte ?'],
    ['manner', 'it', 'Cosa faccio se perdo la chiave?'],
    ['manner', 'pl', 'Zgubiłem klucz, co mam zrobić?'],
    ['manner', 'he', 'נתקעתי במעלית, מה עושים?'],
    ['manner', 'fa', 'کارتم را گم کرده‌ام، چه کار کنم؟'],
    ['manner', 'id', 'Apa yang harus saya lakukan kalau kena minyak panas?'],
    ['manner', 'tr', 'Anahtarı kaybettim, ne yapmalıyım?'],
    [undefined, 'it', 'Dove si trova il magazzino?'],
  ])('is %s in %s: %s', (type, language, question) => {
    expect(findAnswerType(question, [language])).toBe(type);
  });

  it('is recognised by the words of its own language where the passages are in another', () => {
    expect(findAnswerType('Wann schließt das Schwimmbad?', ['en'])).toBe('time');
    expect(findAnswerType('A chi serve il parcheggio, ai camion?', ['it', 'vi'])).toBe('person');
    expect(findAnswerType('Dove parcheggiano, e ai camion?', ['it', 'vi'])).toBeUndefined();
  });
});
