import { describe, expect, it } from '@jest/globals';
import { asksPrice, isPriceWord } from './asked-price.js';

describe(asksPrice, () => {
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
