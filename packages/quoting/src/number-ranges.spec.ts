import { describe, expect, it } from '@jest/globals';
import { findAskedNumbers, findNumbersWithin } from './number-ranges.js';

const within = (question: string, text: string, isRow = false, asksWhether = false) => [
  ...findNumbersWithin(findAskedNumbers(question), text, { isRow, asksWhether }),
];

describe(findNumbersWithin, () => {
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
    ['25', 'What does a parcel of 25 kg cost?', 'Parcels up to 30 kg cost £12.', false],
    ['71', 'A minha mãe tem 71 anos, que dose toma?', 'Mais de 65 anos | 2,5 mg | 5 mg', true],
    ['16', 'Darf mein Sohn mit 16 Jahren mit?', 'Unter 18 Jahren nur mit Begleitung.', false],
    ['120', 'Wer genehmigt 120 €?', 'Ausgaben über 100 € genehmigt die Leitung.', false],
    ['100', 'Ayda 100 metreküp yakan ne öder?', 'Konut, 75 m³ üzeri | 9,86 | 28 TL', true],
    ['700', '700株だと何がもらえますか', '500株以上 | 5,000円相当', true],
    ['70', 'Is there a discount for people of 70 years?', '65 years and older: half price', false],
    ['12', '12세 아이는 얼마예요?', '13세 미만은 무료입니다.', false],
    ['1,500', 'Who approves £1,500?', 'Spending over £1,000 is approved by the board.', false],
    ['1800', 'Wer genehmigt 1800 €?', 'Ausgaben über 1000 € genehmigt die Leitung.', false],
    ['1800', 'Who approves 1800 euros?', 'over €1,000 | the board', true],
    ['20', 'Can somebody of 20 years come?', 'They must be not less than 18 years old.', false],
    ['20', 'Можно в 20 лет?', 'Участникам не менее 18 лет.', false],
    ['20', '¿Puedo ir con 20 años?', 'Edad: no menos de 18 años.', false],
    ['20', 'À 20 ans, puis-je venir ?', 'Pas moins de 18 ans.', false],
    ['4', 'Darf ich 4 Taschen mitnehmen?', 'Es sind nicht mehr als 5 Taschen erlaubt.', false],
    ['4', 'May I bring 4 bags?', 'Bring not more than 5 bags.', false],
    ['4', 'Posso portare 4 borse?', 'Non più di 5 borse.', false],
    ['4', 'Чи можна взяти 4 кілограми?', 'Не більше 5 кілограмів.', false],
    ['12', 'What does a child pay when aged 12?', 'up to 14 years | £5', true],
    ['12', 'Was kostet ein Kind mit 12 im Zoo?', 'Kinder bis 14 Jahre | 5 €', true],
    ['12', 'Combien paie mon fils de 12 ans ?', 'Gratuit pour les moins de 14 ans.', false],
  ])('has %s of “%s” beyond the only end of a range in “%s”', (number, question, text, isRow) => {
    expect(within(question, text, isRow)[0]).toBe(number);
  });

  it('takes what lies beyond a limit for settled where it is asked whether', () => {
    const text = 'Maszynę może obsługiwać osoba, która ukończyła 18 lat.';
    expect(within('Mam 17 lat, mogę obsługiwać maszynę?', text, false, true)).toEqual(['17']);
    expect(within('Ile zarabia osoba, która ma 17 lat?', text, false, false)).toEqual([]);
  });

  it.each([
    ['What does a parcel of 35 kg cost?', 'up to 30 kg | £12', true],
    ['What does a parcel of 35 kg cost?', 'Parcels up to 30 kg cost £12.', false],
    ['What did members pay in 2018?', 'Members | from 200 € | not included', true],
    ['Who pays 20 £?', 'Parcels up to 30 kg are sent at once.', false],
    ['Who was mayor from 20?', 'It was open from 6 in the morning.', false],
    ['What is the fee for a boat of 7 metres?', '9 to 12 m | £1,480', true],
    ['What if I have berth 20?', 'Haldane Marine will dredge from 6 to 24 October.', false],
    ['What does box 20 cost?', 'Box 14, box 31', false],
    ['Who approves £500?', 'Spending over £1,000 is approved by the board.', false],
    ['Who approves £900?', 'Spending over £1,000,000 is approved by the board.', false],
    ['Can somebody of 16 years come?', 'They must be not less than 18 years old.', false],
    ['Можно в 16 лет?', 'Участникам не менее 18 лет.', false],
    ['Darf ich 7 Taschen mitnehmen?', 'Es sind nicht mehr als 5 Taschen erlaubt.', false],
    ['What does error 45 mean?', 'E-07 | oil over 20 °C | stop', true],
    ['Who has number 900?', 'Call 0800-4417.', false],
    ['Who has number 900?', '800 | 1000', true],
    ['Which version?', '1 to 3', true],
  ])('has none of “%s” in “%s”', (question, text, isRow) => {
    expect(within(question, text, isRow)).toEqual([]);
  });
});

describe(findAskedNumbers, () => {
  it('has each number with the words beside it once, and few of a question that has many', () => {
    const textsOf = (question: string) => findAskedNumbers(question).map(({ text }) => text);
    expect(textsOf('7 m, 7 m or 7 kg, 1.5 kg or 8')).toEqual(['7', '7', '8']);
    expect(textsOf('1 2 3 '.repeat(1000))).toHaveLength(3);
    const many = Array.from({ length: 2000 }, (_, number) => number).join(' ');
    expect(textsOf(many)).toHaveLength(20);
  });
});
