import { describe, expect, it } from '@jest/globals';
import type { Passage } from '../search/search-index.js';
import { ExtractiveGenerator } from './extractive-generator.js';

const answerTo = (question: string, ...texts: string[]) =>
  new ExtractiveGenerator().generate({
    question,
    passages: texts.map((text) => ({ text }) as Passage),
    history: [],
    systemPrompt: null,
    temperature: null,
    model: null,
  }).text;

describe(ExtractiveGenerator.name, () => {
  it('quotes no marker of the document as one of its own', () => {
    const text = 'Penguins [7] swim fast [1, 2].\n[3]';
    expect(answerTo('How fast do penguins swim?', text)).toBe('Penguins swim fast. [1]');
  });

  it('cuts no character in two', () => {
    const text = `Penguins ${'x'.repeat(590)}${'\u{1f427}'.repeat(20)}`;
    expect(answerTo('Penguins?', text)?.isWellFormed()).toBe(true);
  });
});
