import { describe, expect, it } from '@jest/globals';
import { asksPrice, isPriceWord, namesPrice, saysFree } from './asked-price.js';

describe(asksPrice, () => {
  it.each(['How much does a locker cost?', 'Was kostet ein Spind?', '사물함은 가격이 얼마인가요?'])(
    'finds that %j does',
    (question) => {
      expect(asksPrice(question)).toBe(true);
    },
  );

  it.each([
    'What does the clerk do if a cost is missing?',
    'How much do I cost?',
    'What is the phone number for?',
    '가격이 왜 올랐나요?',
  ])('finds that %j does not', (question) => {
    expect(asksPrice(question)).toBe(false);
  });

  it('takes a Portuguese question that reads as an Italian one', () => {
    expect(asksPrice('Quanto custa o bilhete?')).toBe(true);
  });
});

describe(isPriceWord, () => {
  it.each(
    'cost price kostet teuer coute coutent stoji стоят коштують ucreti gia vale lira עולה قيمت'.split(
      ' ',
    ),
  )('knows %j, which only asks for a price', (word) => {
    expect(isPriceWord(word)).toBe(true);
  });

  it.each(['charger', 'cena', 'feestzaal', 'payroll', 'fee', 'costume', 'kostum'])(
    'does not take %j for one, which may be what a price is asked of',
    (word) => {
      expect(isPriceWord(word)).toBe(false);
    },
  );
});

describe(saysFree, () => {
  it.each([
    'Parking is free.',
    'Parken ist kostenlos.',
    'Le parking est gratuit.',
    '주차는 무료입니다.',
  ])('finds it in %j', (text) => {
    expect(saysFree(text)).toBe(true);
  });

  it.each(['Freedom has its price.', 'The freezer is in the cellar.'])('does not in %j', (text) => {
    expect(saysFree(text)).toBe(false);
  });
});

describe(namesPrice, () => {
  it.each(['Price per month', 'Prix par mois', 'Preis (EUR)', '使用料'])('knows %j', (name) => {
    expect(namesPrice(name)).toBe(true);
  });

  it.each(['Deposit', 'Area', 'Árbol'])('does not take %j for prices', (name) => {
    expect(namesPrice(name)).toBe(false);
  });
});
