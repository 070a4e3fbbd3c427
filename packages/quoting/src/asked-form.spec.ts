import { describe, expect, it } from '@jest/globals';
import { lacksAskedForm } from './asked-form.js';

describe(lacksAskedForm, () => {
  it.each([
    ['Quanto custa uma embalagem de Dormelina?', 'Embalagens de 10, 14 ou 28 comprimidos.'],
    ['Ile kosztuje pasek napędowy?', 'E-07 | Zerwany pasek napędowy | nr części 45-118'],
    ['How much does a locker cost?', 'There are 40 lockers on the ground floor.'],
    ['Скільки коштує ночівля в садибі?', 'За три кілометри від міста, біля старого млина.'],
    ['Який номер телефону готелю?', 'Двадцять номерів у камʼяниці XVII століття.'],
    ['What is the phone number of the porter?', 'The porter is there from 8 to 17.'],
  ])('finds no answer to %j in %j', (question, text) => {
    expect(lacksAskedForm(question, text)).toBe(true);
  });

  it.each([
    ['Quanto custa uma embalagem de Dormelina?', 'Cada embalagem custa 12,40 €.'],
    ['Ile kosztuje pasek napędowy?', 'Pasek kosztuje 45 złotych.'],
    ['How much does a locker cost?', 'Lockers are free.'],
    ['How much does a locker cost?', 'Item | Day | Month\nLocker | 2 | 15'],
    ['Was kostet das Frühstück?', 'Frühstück ist im Preis inbegriffen.'],
    ['What is the phone number of the porter?', 'Porter: 020 7946 0018'],
    ['How many lockers are there?', 'There are 40 lockers.'],
  ])('finds one to %j in %j', (question, text) => {
    expect(lacksAskedForm(question, text)).toBe(false);
  });
});
