import { describe, expect, it } from '@jest/globals';
import { hasTimeWord } from './time-words.js';

describe(hasTimeWord, () => {
  it.each([
    ['en', 'The bins are emptied on Tuesdays.'],
    ['de', 'Die Bücherei ist mittwochs geschlossen.'],
    ['fr', "L'agence est fermée le lundi."],
    ['it', 'La piscina chiude in agosto.'],
    ['pt', 'A limpeza é feita às terças.'],
    ['nl', 'Het papier wordt op donderdag opgehaald.'],
    ['pl', 'Szkło odbieramy w środę.'],
    ['ru', 'Приём по средам.'],
    ['he', 'הפחים יוצאים ביום שלישי.'],
    ['fa', 'دفتر سه‌شنبه‌ها باز است.'],
    ['id', 'Dapur disewakan pada hari Senin.'],
    ['vi', 'Thư viện nghỉ thứ hai.'],
    ['ja', '定休日は水曜日です。'],
    ['ko', '월요일은 전 직원이 출근한다.'],
    ['zh', '图书馆周一闭馆。'],
    ['th', 'ร้านปิดวันจันทร์'],
  ])('knows one of %s in “%s”', (language, text) => {
    expect(hasTimeWord(text, language)).toBe(true);
  });

  it.each([
    ['en', 'You may return the goods.'],
    ['de', 'Die Bücherei ist geschlossen.'],
    ['ja', '料金には夕食が含まれます。'],
    [null, 'Tuesday'],
    ['zz', 'Tuesday'],
    ['x-shop', 'Tuesday'],
    ['zz', 'Nothing of the kind'],
  ])('knows none of %s in “%s”', (language, text) => {
    expect(hasTimeWord(text, language)).toBe(false);
  });
});
