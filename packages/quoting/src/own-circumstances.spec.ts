import { describe, expect, it } from '@jest/globals';
import { findOwnCircumstances } from './own-circumstances.js';

describe(findOwnCircumstances, () => {
  it.each([
    ['3', 'I have worked here for 3 years, how much leave do I get?'],
    ['3', 'Ich arbeite seit 3 Jahren hier, wie viel Urlaub bekomme ich?'],
    ['3', 'Lavoro qui da 3 anni, quanti giorni di ferie ho?'],
    ['40', 'J’ai commandé pour 40 €, combien coûte la livraison ?'],
    ['1800', 'I spent 1800 €, who approves it?'],
    ['1800', 'I spent £1800, who approves it?'],
    ['17', 'Mam 17 lat, czy mogę obsługiwać tokarkę?'],
    ['3', '我在这里工作了3年，有多少天年假？'],
    ['3', '저는 3년 일했는데, 휴가가 며칠이에요?'],
  ])('knows that %s is how things stand in %j', (number, question) => {
    expect([...findOwnCircumstances(question)]).toEqual([number]);
  });

  it.each([
    'What was in version 3, and when did it appear?',
    'For 3 years of service, how much leave is there?',
    'We were there in 2019, who was the mayor?',
    'How do I install version 3?',
    'Can I check in at 22:30?',
    'How much is my parcel of 6–9 kg?',
    'How much is my parcel of 6 – 9 kg?',
  ])('takes the numbers of %j for what is asked about', (question) => {
    expect(findOwnCircumstances(question).size).toBe(0);
  });
});
