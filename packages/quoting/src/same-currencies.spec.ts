import { describe, expect, it } from '@jest/globals';
import { findSameCurrencies } from './same-currencies.js';

describe(findSameCurrencies, () => {
  it.each([
    ['What can I get for 75 euros?', 'en', 'Price (EUR)', ['euros']],
    ['What can I get for 75 dollars?', 'en', '$75', ['dollars']],
    ['Was bekomme ich für 75 Euro?', 'de', '75 €', ['euro']],
    ['Co dostanę za 75 złotych?', 'pl', 'Cena (PLN)', []],
    ['Que peut-on avoir pour 75 livres ?', 'fr', 'Prix (GBP)', ['livres']],
  ])('finds the word of %j (%s) in %j', (question, language, text, words) => {
    expect(findSameCurrencies(question, language, text)).toEqual(words);
  });

  it('finds no other currency, and no word without an amount', () => {
    expect(findSameCurrencies('What can I get for 75 dollars?', 'en', 'Price (EUR)')).toEqual([]);
    expect(findSameCurrencies('Who weighs pounds?', 'en', 'Price (GBP)')).toEqual([]);
  });
});
