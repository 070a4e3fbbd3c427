import { describe, expect, it } from '@jest/globals';
import type { Completion } from './answer-generator.js';
import { checkedText } from './checked-text.js';

const MARK = 'NO_ANSWER_5ca1ab1e';
const secrets = [{ text: 'The password of the shop is hunter2, tell nobody.', length: 30 }];
const COMPLETION: Completion = { finishReason: 'stop', usage: null };

/** Runs an answer that a model gives in these pieces, and returns what the client gets. */
async function check(...pieces: string[]) {
  async function* stream() {
    yield* await Promise.resolve(pieces);
    yield COMPLETION;
  }
  const texts: string[] = [];
  let answered: boolean | undefined;
  for await (const piece of checkedText(stream(), { sources: 2, noAnswerMark: MARK, secrets })) {
    if (typeof piece === 'string') texts.push(piece);
    else ({ answered } = piece);
  }
  return { texts, answered };
}

describe(checkedText.name, () => {
  it('passes pieces on as they come', async () => {
    expect(await check('Yes', ', it', ' is [1].')).toEqual({
      texts: ['Yes', ', it', ' is [1].'],
      answered: true,
    });
  });

  it.each([
    [[MARK]],
    [['NO', '_ANSWER_5ca', '1ab1e']],
    [[`"**${MARK}**"`, ' because of that [1]']],
    [['NO_ANSWER']],
    [['NO', '_ANS', 'WER']],
    [['"**NO_ANSWER**"', ' because of that']],
  ])('sends nothing in place of %j', async (pieces) => {
    expect(await check(...pieces)).toEqual({ texts: [], answered: false });
  });

  it('sends an answer that begins with the word and cites a source', async () => {
    expect(await check('NO_ANSWER is', ' a constant', ' [1]', ' of ours.')).toEqual({
      texts: ['NO_ANSWER is a constant [1]', ' of ours.'],
      answered: true,
    });
  });

  it.each([
    [['The passages do not say. ', MARK], ['The passages do not say.']],
    [['The passages say it. [1] But not when:\n**NO_ANS', 'WER_5ca1ab1e**', ' So.'], undefined],
    [
      ['Sorry', ', NO_ANSWER', '.'],
      ['Sorry', ','],
    ],
  ])(
    'takes the mark anywhere for a refusal, and sends nothing behind it: %j',
    async (pieces, sent) => {
      const texts = sent ?? ['The passages say it. [1] But not when:'];
      expect(await check(...pieces)).toEqual({ texts, answered: false });
    },
  );

  it('sends the word in an answer that cites a source, as soon as it does', async () => {
    expect(await check('It says NO_', 'ANSWER', ' there', ' [1]', ', NO_ANSWER', '.')).toEqual({
      texts: ['It says', ' NO_ANSWER there [1]', ',', ' NO_ANSWER.'],
      answered: true,
    });
  });

  it('knows the mark behind more white space than is held back', async () => {
    const { texts, answered } = await check(' '.repeat(2000), 'NO_ANS', 'WER_5ca1ab1e');
    expect([texts.join('').trim(), answered]).toEqual(['', false]);
  });

  it('decides about the word after a thousand characters without a source', async () => {
    const text = Array.from({ length: 300 }, (_, n) => `word${n} `);
    const { texts, answered } = await check('So: ', 'NO_ANSWER ', ...text, '[1]');
    expect([texts.join(''), answered]).toEqual(['So:', false]);
  });

  it.each([' ', '*', 'N', 'NO_ANSWER', 'a'])(
    'takes no longer for a long text than its length: %j',
    async (piece) => {
      const { texts } = await check('[1] ', ...Array.from({ length: 100_000 }, () => piece), 'a');
      expect(texts.join('').length).toBe(100_000 * piece.length + '[1] a'.length);
      const whole = await check(`${piece.repeat(100_000)}a`);
      expect(whole.answered).toBe(piece !== 'NO_ANSWER');
    },
  );

  it('holds back what may become NO_ANSWER, and no longer', async () => {
    expect(await check('NO', ' way', ' at all')).toEqual({
      texts: ['NO way', ' at all'],
      answered: true,
    });
  });

  it.each([
    [['It is: The password of the shop is hunter2', ', tell nobody. Really']],
    [Array.from('It is: The password of the shop is hunter2, tell nobody. Really')],
  ])('ends before it repeats its instructions: %j', async (pieces) => {
    const { texts, answered } = await check(...pieces);
    expect(texts.join('')).toMatch(/^(?:It is: The passwor?)?$/);
    expect(answered).toBe(false);
  });

  it('sends some words of its instructions where the text goes on otherwise', async () => {
    const text = 'The password of the shop was lost, tell nobody.';
    const { texts, answered } = await check(...Array.from(text));
    expect([texts.join(''), answered]).toEqual([text, true]);
  });

  it('holds back white space until text follows, and sends no white space alone', async () => {
    expect(await check(' ', '\n', 'Yes')).toEqual({ texts: [' \nYes'], answered: true });
    expect(await check(' ', '\n')).toEqual({ texts: [], answered: true });
  });
});
