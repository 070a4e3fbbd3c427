import { describe, expect, it } from '@jest/globals';
import { findSpelledNumbers, hasSpelledNumber } from './spelled-numbers.js';

describe(findSpelledNumbers.name, () => {
  it.each([
    ['en', 'Within two years and fourteen days, or twenty-five of two hundred and fifty.'],
    ['de', 'Binnen zwei Jahren und vierzehn Tagen, oder fünfundzwanzig von zweihundertfünfzig.'],
    ['fr', 'En deux ans et quatorze jours, ou vingt-cinq sur deux cent cinquante.'],
    ['es', 'En dos años y catorce días, o veinticinco de dos cientos cincuenta.'],
    ['it', 'In due anni e quattordici giorni, o venticinque di duecentocinquanta.'],
    ['nl', 'Binnen twee jaar en veertien dagen, of vijfentwintig van tweehonderdvijftig.'],
    ['zh', '两年和十四天，或者二百五十的二十五。'],
  ])('reads numbers composed of words: %s', (language, text) => {
    expect(new Set(findSpelledNumbers(text, language))).toEqual(new Set([2, 14, 25, 250]));
  });

  it.each([
    ['pt', 'em duas semanas ou trinta dias'],
    ['pl', 'w ciągu dwóch tygodni lub trzydziestu dni'],
    ['cs', 'do dvou týdnů nebo třiceti dnů'],
    ['sv', 'inom två veckor eller trettio dagar'],
    ['da', 'inden for to uger eller tredive dage'],
    ['no', 'innen to uker eller tretti dager'],
    ['fi', 'kahden viikon tai kolmekymmentä päivää'],
    ['tr', 'iki hafta veya otuz gün'],
    ['ru', 'в течение двух недель или тридцати дней'],
    ['uk', 'протягом двох тижнів або тридцяти днів'],
    ['bg', 'в рамките на две седмици или тридесет дни'],
    ['el', 'εντός δύο εβδομάδων ή τριάντα ημερών'],
    ['ro', 'în două săptămâni sau treizeci de zile'],
    ['hu', 'két héten vagy harminc napon belül'],
    ['id', 'dalam dua minggu atau tiga puluh hari'],
    ['vi', 'trong hai tuần hoặc ba mươi ngày'],
    ['ar', 'خلال أسبوعين أو ثلاثين يوما'],
    ['he', 'תוך שבועיים או שלושים יום'],
    ['fa', 'ظرف دو هفته یا سی روز'],
    ['hi', 'दो सप्ताह या तीस दिन में'],
    ['ko', '두 주 또는 서른 날'],
    ['th', 'ภายในสองสัปดาห์หรือสามสิบวัน'],
    ['ja', '二週間または三十日以内'],
  ])('knows those of %s', (language, text) => {
    expect(findSpelledNumbers(text, language)).toEqual([2, 30]);
  });

  it('finds none in words of another language, or in longer words', () => {
    expect(findSpelledNumbers('Go to the tent, often.', 'en')).toEqual([]);
    expect(findSpelledNumbers('Go to ten.', 'da')).toEqual([2]);
    expect(findSpelledNumbers('two', undefined)).toEqual([]);
  });

  it('takes no longer for a long text than its length', () => {
    const text = `${'vierzehnvier'.repeat(20_000)}x`;
    expect(findSpelledNumbers(text, 'de')).toEqual([]);
  });
});

describe(hasSpelledNumber, () => {
  it.each([
    ['ko', '직원이 두 명 있습니다.', true],
    ['ko', '세탁기는 로비에 있습니다.', false],
    ['ko', '네트워크와 백화점', false],
    ['th', 'ห้ามสูบบุหรี่', false],
    ['de', 'Die Garantie gilt zwei Jahre.', true],
    ['de', 'Die Garantie gilt lange.', false],
  ])('finds a number that is a word (%s): %s', (language, text, expected) => {
    expect(hasSpelledNumber(text, language)).toBe(expected);
  });
});
