import { describe, expect, it } from '@jest/globals';
import { withoutQuestionWords } from './without-question-words.js';

describe(withoutQuestionWords, () => {
  it.each([
    ['三号线几点发车', '三号线 发车'],
    ['晚餐补贴多少钱', '晚餐补贴 '],
    ['可以借几本书', '可以借 书'],
    ['何時から使えますか', ' から使えますか'],
    ['How many trains?', 'How many trains?'],
    ['多少钱', '多少钱'],
  ])('leaves out the words that ask, with what is counted by them: %s', (question, rest) => {
    expect(withoutQuestionWords(question)).toBe(rest);
  });
});
