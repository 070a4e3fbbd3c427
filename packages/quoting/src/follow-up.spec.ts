import { describe, expect, it } from '@jest/globals';
import { findContext, buildSearchText } from './follow-up.js';

const BEFORE = 'How long does a standard parcel to Denmark take?';

describe(findContext, () => {
  it.each([
    'And in the first half of 2022?',
    'and to Norway?',
    'Und wie lange dauert das nach Österreich?',
    'Et pour le Cargo ?',
    '¿Y para un frigorífico?',
    'E per la Svizzera quanto ci vuole?',
    'En hoe lang duurt het naar België?',
    'A ile trwa paczka ekspresowa do Norwegii?',
    'А сколько идёт посылка в Норвегию?',
    'وكم يستغرق الطرد إلى النرويج؟',
    '那四号线呢？',
    'Bの場合は？',
    '그럼 노르웨이는요?',
  ])('completes %j by the question before it', (question) => {
    const context = findContext(question, [BEFORE]);
    expect(buildSearchText(question, context)).toBe(`${question}\n${question}\n${BEFORE}`);
  });

  it.each([
    'Which documents do I need to register a company car?',
    'Welche Unterlagen brauche ich für die Anmeldung eines Dienstwagens?',
    '公司的年假一共有多少天，可以转到明年吗？',
  ])('searches %j alone', (question) => {
    expect(buildSearchText(question, findContext(question, [BEFORE]))).toBe(question);
  });

  it('goes back to the last question that stands alone', () => {
    const earlier = ['What is a flex desk at Kestrel Yard?', BEFORE, 'and to Norway?'];
    const question = 'and to Sweden?';
    expect(findContext(question, earlier)).toEqual([BEFORE, 'and to Norway?']);
  });
});
