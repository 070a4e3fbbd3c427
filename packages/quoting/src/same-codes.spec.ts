import { describe, expect, it } from '@jest/globals';
import { spellCodesAsIn } from './same-codes.js';

const TEXTS = ['The KX-100 and the KX-100S.', 'Error GK-204 means a wrong password.'];
const respell = (question: string) => spellCodesAsIn(TEXTS, question, []).respell(question);

describe(spellCodesAsIn, () => {
  it.each([
    ['Price of kx100?', 'Price of KX-100?'],
    ['Price of kx 100s?', 'Price of KX-100S?'],
    ['What is gk 204?', 'What is GK-204?'],
    ['Price of kx-100?', 'Price of kx-100?'],
    ['Price of kx10?', 'Price of kx10?'],
    ['Price of kx1000?', 'Price of kx1000?'],
    ['Price of the akx100?', 'Price of the akx100?'],
  ])('spells %j as %j', (question, respelled) => {
    expect(respell(question)).toBe(respelled);
  });

  it('looks for the words of the spelling that the texts have', () => {
    const term = { weight: 1, isKnown: true, mayBeName: false };
    const terms = [
      { ...term, word: 'price', stems: ['price'] },
      { ...term, word: 'kx100', stems: ['kx100'], weight: 3, isKnown: false },
    ];
    expect(spellCodesAsIn(TEXTS, 'Price of kx100?', terms).terms).toEqual([
      terms[0],
      { ...term, word: 'kx', stems: ['kx'], weight: 3 },
      { ...term, word: '100', stems: ['100'], weight: 3 },
    ]);
  });

  it('leaves a code that begins with another one as it is', () => {
    const { respell } = spellCodesAsIn(['The KX-1.', 'The KX 100.'], 'kx1 or kx100?', []);
    expect(respell('kx1 or kx100?')).toBe('KX-1 or KX 100?');
  });

  it('spells the first eight codes', () => {
    const list = (joint: string) => Array.from({ length: 9 }, (_, n) => `kx${joint}${n}1`);
    expect(spellCodesAsIn(list('-'), list('').join(', '), []).respell(list('').join(', '))).toBe(
      [...list('-').slice(0, 8), 'kx81'].join(', '),
    );
  });

  it('takes no longer for a text made to be slow', () => {
    expect(respell('a1'.repeat(50_000)).length).toBe(100_000);
  });
});
