import { describe, expect, it } from '@jest/globals';
import { findAskedCurrencies, findSameCurrencies } from './same-currencies.js';

describe(findSameCurrencies, () => {
  it.each([
    ['What can I get for 75 euros?', 'en', 'Price (EUR)', ['euros']],
    ['What can I get for 75 dollars?', 'en', '$75', ['dollars']],
    ['Was bekomme ich für 75 Euro?', 'de', '75 €', ['euro']],
    ['Co dostanę za 75 złotych?', 'pl', 'Cena (PLN)', []],
    ['Que peut-on avoir pour 75 livres ?', 'fr', 'Prix (GBP)', ['livres']],
  ])('finds the word of %j (%s) in %j', (question, language, text, words) => {
    expect(findSameCurrencies(findAskedCurrencies(question, language), text)).toEqual(words);
  });

  const find = (question: string, text: string) =>
    findSameCurrencies(findAskedCurrencies(question, 'en'), text);

  it('finds no other currency, and no word without an amount', () => {
    expect(find('What can I get for 75 dollars?', 'Price (EUR)')).toEqual([]);
    expect(find('Who weighs pounds?', 'Price (GBP)')).toEqual([]);
  });
});

describe(findAskedCurrencies, () => {
  it('has each currency once', () => {
    const asked = findAskedCurrencies('5 euros or 7 dollars, '.repeat(300), 'en');
    expect(asked.map(({ word }) => word)).toEqual(['euros', 'dollars']);
  });
});
