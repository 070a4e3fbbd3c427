import { describe, expect, it } from '@jest/globals';
import type { Completion } from './answer-generator.js';
import { checkedText } from './checked-text.js';

const COMPLETION: Completion = { finishReason: 'stop', usage: null };

/** What a client is told of an answer that a model gives in these pieces. */
async function told(...pieces: string[]) {
  async function* stream() {
    yield* await Promise.resolve(pieces);
    yield COMPLETION;
  }
  const texts: string[] = [];
  let answered: boolean | undefined;
  for await (const piece of checkedText(stream(), 2, 'Nothing found.')) {
    if (typeof piece === 'string') texts.push(piece);
    else ({ answered } = piece);
  }
  return { texts, answered };
}

describe(checkedText.name, () => {
  it('passes pieces on as they come', async () => {
    expect(await told('Yes', ', it', ' is [1].')).toEqual({
      texts: ['Yes', ', it', ' is [1].'],
      answered: true,
    });
  });

  it.each([[['NO_ANSWER']], [['NO', '_ANS', 'WER']], [['"**NO_ANSWER**"', ' because of that']]])(
    'tells the refusal in place of %j',
    async (pieces) => {
      expect(await told(...pieces)).toEqual({ texts: ['Nothing found.'], answered: false });
    },
  );

  it('holds back what may become NO_ANSWER, and no longer', async () => {
    expect(await told('NO', ' way', ' at all')).toEqual({
      texts: ['NO way', ' at all'],
      answered: true,
    });
  });

  it('passes on no white space before the text, nor white space alone', async () => {
    expect(await told(' ', '\n', 'Yes')).toEqual({ texts: [' \nYes'], answered: true });
    expect(await told(' ', '\n')).toEqual({ texts: [], answered: true });
  });
});
