import { describe, expect, it } from '@jest/globals';
import { groupQuestions } from './group-questions.js';

const group = async (
  questions: readonly string[],
  vectors: Record<string, readonly number[]> = {},
): Promise<string[][]> => {
  const groups = await groupQuestions(
    questions.map((question) => ({ question })),
    ({ question }) => vectors[question] && Float32Array.from(vectors[question]),
  );
  return groups.map((items) => items.map(({ question }) => question));
};

describe(groupQuestions.name, () => {
  it('puts questions of mostly the same words together', async () => {
    const [a, b, c] = [
      'How do I cancel my subscription?',
      'cancel subscription',
      'Is there parking?',
    ];
    expect(await group([a, c, b])).toEqual([[a, b], [c]]);
  });

  it('puts questions of a near meaning together, each to the nearest', async () => {
    const [a, b, c] = ['May I bring my dog?', 'Is there parking?', 'Are pets welcome?'];
    const vectors = { [a]: [1, 0], [b]: [0.6, 0.8], [c]: [0.9, Math.sqrt(0.19)] };
    expect(await group([a, b, c], vectors)).toEqual([[a, c], [b]]);
  });

  it.each([
    ['Do you ship to Norway?', 'Do you ship to Brazil?'],
    ['What does plan 20 cost?', 'What does plan 30 cost?'],
  ])('leaves other names and numbers apart: %s / %s', async (a, b) => {
    expect(await group([a, b], { [a]: [1, 0], [b]: [1, 0] })).toEqual([[a], [b]]);
  });

  it('compares what has no vector, or one of another model, by its words', async () => {
    const [a, b] = ['Is there parking at the office?', 'parking office'];
    expect(await group([a, b], { [a]: [1, 0] })).toEqual([[a, b]]);
    expect(await group([a, b], { [a]: [1, 0], [b]: [0, 1, 0] })).toEqual([[a, b]]);
  });
});
