import { describe, expect, it } from '@jest/globals';
import { withoutQuestionWords } from './without-question-words.js';

describe(withoutQuestionWords, () => {
  it.each([
    ['三号线几点发车', '三号线 发车'],
    ['晚餐补贴多少钱', '晚餐补贴 '],
    ['可以借几本书', '可以借 书'],
    ['何時から使えますか', ' から使えますか'],
    ['휴가는 며칠인가요?', '휴가는  ?'],
    ['축의금은 얼마예요', '축의금은  '],
    ['몇 시까지 출근해야 하나요', '  출근해야 하나요'],
    ['주차 요금 알려 주세요', '주차 요금  '],
    ['언제예요?', '언제예요?'],
    ['How many trains?', 'How many trains?'],
    ['多少钱', '多少钱'],
  ])('leaves out the words that ask, with what is counted by them: %s', (question, rest) => {
    expect(withoutQuestionWords(question)).toBe(rest);
  });
});
