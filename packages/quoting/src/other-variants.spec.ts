import { describe, expect, it } from '@jest/globals';
import { countOtherVariants } from './other-variants.js';

describe(countOtherVariants, () => {
  it.each([
    ['What does the Studio for 6 cost?', 'Studio for 2: 890, Studio for 4: 1,590, 6 months', 1],
    ['What does the Studio for 4 cost?', 'Studio for 2: 890, Studio for 4: 1,590, 6 months', 0],
    ['What is in version 3?', 'Version 4.2 of 3 May', 1],
    ['Is category E included?', 'Category A, category B', 1],
    ['区分Eの祝い金は？', '区分Aは150,000円、区分Bは60,000円。', 1],
    ['区分Bの祝い金は？', '区分Aは150,000円、区分Bは60,000円。', 0],
    ['五号线', '一号线、三号线', 1],
    ['三号线', '一号线、三号线', 0],
    // A word that begins with a capital is no letter.
    ['Автобус зі станції до Старої Вежі?', 'Від станції до Липників ходить потяг.', 0],
    ['Το σπίτι στη Ρόδο;', 'Το σπίτι στη Βέροια', 0],
    // Nothing of its kind is there.
    ['What is in version 3?', 'The new features', 0],
    // What stands before the number says nothing.
    ['Is it open at 6?', 'It opens at 8.', 0],
    ['Where can I park?', 'Can A park? Can B park?', 0],
  ])('%s %s', (question, text, count) => {
    const isContent = (word: string) => !['at', 'can'].includes(word.toLowerCase());
    expect(countOtherVariants(question, text, isContent)).toBe(count);
  });
});
