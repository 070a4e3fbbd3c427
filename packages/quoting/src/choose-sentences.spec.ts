import { describe, expect, it } from '@jest/globals';
import { chooseSentences } from './choose-sentences.js';
import type { QuotablePassage } from './reading.js';

/** Eight sentences, the first four of which are in a window as near to the question as given. */
function toPassage(name: string, nearness: readonly [number, number] | undefined): QuotablePassage {
  const sentences = Array.from(
    { length: 8 },
    (_, index) => `The ${name} of number ${index} is red.`,
  );
  const text = sentences.join(' ');
  const middle = text.indexOf('The', text.indexOf('number 3'));
  const [first = 0, second = 0] = nearness ?? [];
  const windows = [
    { start: 0, end: middle, toAsked: first, toWhole: first },
    { start: middle, end: text.length, toAsked: second, toWhole: second },
  ];
  return {
    ...{ text, title: '', heading: null, language: 'en', matched: [] },
    ...(nearness && { windows }),
  };
}

const countIn = (passages: readonly QuotablePassage[]) =>
  chooseSentences(passages).map(({ length }) => length);

describe(chooseSentences, () => {
  it('chooses those of the windows that are nearest to the question, sixteen in all', () => {
    const [door, roof, wall] = [
      toPassage('door', [0.2, 0.9]),
      toPassage('roof', [0.8, 0.7]),
      toPassage('wall', [0.3, 0.6]),
    ];
    const [first, second, third] = chooseSentences([door, roof, wall]);
    expect(first?.map(({ embedded }) => embedded.trim())).toEqual(
      [4, 5, 6, 7].map((number) => `The door of number ${number} is red.`),
    );
    expect(second).toHaveLength(8);
    expect(third?.map(({ start }) => wall.text.slice(start, start + 8))).toEqual(
      Array.from({ length: 4 }, () => 'The wall'),
    );
  });

  it('chooses none of a passage without vectors, and says so by an empty list', () => {
    expect(countIn([toPassage('door', undefined), toPassage('roof', [0.1, 0.1])])).toEqual([0, 8]);
  });

  it('chooses none of passages that are not read', () => {
    const long = { ...toPassage('door', [0.9, 0.9]), text: 'The door is red. '.repeat(3000) };
    expect(countIn([toPassage('roof', [0.1, 0.1]), long])).toEqual([8, 0]);
    const many = Array.from({ length: 11 }, () => toPassage('wall', [0.1, 0.1]));
    expect(countIn([...many, toPassage('door', [0.9, 0.9])]).at(-1)).toBe(0);
  });
});
