import { describe, expect, it } from '@jest/globals';
import { detectRemark } from './remark.js';

const UNKNOWN = [{ word: 'wrong', isKnown: false }];

describe(detectRemark, () => {
  it.each([
    ['en', 'you are wrong about that'],
    ['de', 'na gut, dann eben nicht'],
    ['fr', 'je ne suis pas avec vous'],
    ['es', 'no es lo que te dije'],
  ])('takes what asks nothing for a remark (%s): %s', (language, message) => {
    expect(detectRemark(message, UNKNOWN)).toEqual({ kind: 'about', language });
  });

  it.each([
    'parental leave',
    'Is that so?',
    'how you do that',
    'that is 30 of them',
    'you are wrong about that, and so was he when he told us about all of it',
    '🙂',
  ])('does not take for one: %s', (message) => {
    expect(detectRemark(message, UNKNOWN)).toBeUndefined();
  });

  it('does not take for one what has a content word of a document', () => {
    const that = { word: 'that', isKnown: true };
    expect(detectRemark('you are wrong about that', [...UNKNOWN, that])).toBeDefined();
    expect(detectRemark('you are wrong', [{ word: 'wrong', isKnown: true }])).toBeUndefined();
  });
});
