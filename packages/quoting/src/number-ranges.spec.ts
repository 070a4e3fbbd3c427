import { describe, expect, it } from '@jest/globals';
import { numbersWithin } from './number-ranges.js';

const within = (question: string, text: string, isRow = false) => [
  ...numbersWithin(question, text, isRow),
];

describe(numbersWithin, () => {
  it.each([
    ['7', 'What is the fee for a boat of 7 metres?', '6 to 9 m | £940 | £21', true],
    ['3', 'Was kostet ein Paket mit 3 kg?', '2–5 kg | 6,90 €', true],
    ['5', '5日前に取り消すといくらですか', '2日前〜6日前 | なし | 20%', true],
    ['20', 'What if I have berth 20?', 'Berths 14 to 31 must be vacated.', false],
    ['8', 'Quanto tenho com 8 dias de atraso?', 'De 5 a 10 dias cobramos juros.', false],
    ['10', 'Saya batal 10 hari sebelumnya', 'Pembatalan 13 sampai 3 hari sebelumnya', false],
    ['۷', 'برای ۷ نفر چقدر است؟', '۵ تا ۱۰ نفر | ۹۰ هزار', true],
  ])('has %s of “%s” in “%s”', (number, question, text, isRow) => {
    expect(within(question, text, isRow)).toEqual([number === '۷' ? '7' : number]);
  });

  it.each([
    ['What is the fee for a boat of 7 metres?', '9 to 12 m | £1,480', true],
    ['What if I have berth 20?', 'Haldane Marine will dredge from 6 to 24 October.', false],
    ['What does box 20 cost?', 'Box 14, box 31', false],
    ['Who has number 900?', 'Call 0800-4417.', false],
    ['Who has number 900?', '800 | 1000', true],
    ['Which version?', '1 to 3', true],
  ])('has none of “%s” in “%s”', (question, text, isRow) => {
    expect(within(question, text, isRow)).toEqual([]);
  });
});
