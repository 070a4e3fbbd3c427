import { describe, expect, it } from '@jest/globals';
import { extractAnswer } from './extract-answer.js';

const answerTo = (question: string, ...texts: string[]) => extractAnswer(question, texts);

describe(extractAnswer.name, () => {
  it('quotes no marker of the document as one of its own', () => {
    const text = 'Penguins [7] swim fast [1, 2].\n[3]';
    expect(answerTo('How fast do penguins swim?', text)).toBe('Penguins swim fast. [1]');
  });

  it('cuts no character in two', () => {
    const text = `Penguins ${'x'.repeat(590)}${'\u{1f427}'.repeat(20)}`;
    expect(answerTo('Penguins?', text)?.isWellFormed()).toBe(true);
  });
});
