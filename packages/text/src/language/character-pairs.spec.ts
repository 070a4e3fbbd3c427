import { describe, expect, it } from '@jest/globals';
import { tokenize } from '../tokenize.js';
import { findJoiningPairs } from './character-pairs.js';

const joining = (question: string) => [...findJoiningPairs(question, tokenize(question))];

describe(findJoiningPairs, () => {
  it('has pairs of the end of a word and the beginning of the next', () => {
    expect(joining('晚餐公司补贴')).toEqual(['餐公', '司补']);
  });

  it('has no pair of a name that is in no dictionary', () => {
    expect(joining('希曼斯的领导者是谁')).toEqual(['斯的', '的领', '导者', '者是', '是谁']);
  });

  it('has pairs of hiragana, unless the question has no others', () => {
    expect(joining('補助されます')).toContain('ます');
    expect(joining('りんご')).toEqual([]);
  });

  it('has pairs with a particle or an ending of Korean', () => {
    expect(joining('휴가는 가능한가요')).toEqual(['가는', '능한', '한가', '가요']);
    expect(joining('주차장에 주차해도 되나요')).toEqual(['장에', '해도', '되나', '나요']);
    expect(joining('나이 제한')).toEqual([]);
  });
});
