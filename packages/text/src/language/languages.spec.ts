import { describe, expect, it } from '@jest/globals';
import { stem } from '../tokenize.js';
import { isStopWord, isSureStopWord } from './languages.js';

describe(isStopWord, () => {
  it.each([
    ['fa', 'از'],
    ['fa', 'است'],
    ['fa', 'میتوانم'],
    ['ur', 'ہے'],
    ['mr', 'आहे'],
    ['it', 'posso'],
    ['nl', 'mag'],
    ['pl', 'mogę'],
    ['pt', 'preciso'],
    ['fr', 'puis'],
    ['he', 'אפשר'],
  ])('knows those of %s: %s', (language, word) => {
    expect(isStopWord(word, language)).toBe(true);
  });

  it('takes a word in a script of other languages for one of theirs', () => {
    expect([isStopWord('the', 'fa'), isStopWord('what', 'ru')]).toEqual([true, true]);
    expect([isStopWord('از', 'ar'), isStopWord('از', null)]).toEqual([false, false]);
    expect(isSureStopWord('آیا', 'fa')).toBe(true);
  });

  it('leaves stems as they are', () => {
    expect(stem('کتابهایی', 'fa')).toBe(stem('کتابهایی', 'ar'));
  });
});
