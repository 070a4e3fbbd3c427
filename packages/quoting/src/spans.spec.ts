import { describe, expect, it } from '@jest/globals';
import { rate } from './read-passages.js';
import { MAX_WORDS, paragraphsOf, spansOf } from './spans.js';

describe(spansOf, () => {
  it('ends before a sentence as short as a heading whose paragraph is not quoted', () => {
    const text = `A lost scarf costs £22. It is green.

Article 7: Lost keys. ${'Keys are copied by the caretaker. '.repeat(12)}`;
    const passage = { text, title: '', heading: null, language: null, matched: [] };
    const { passages } = rate({ question: 'Lost scarf?', terms: [], passages: [passage] });
    const units = passages[0]?.units ?? [];
    // All are as near to the question, as they may be by their vectors.
    const scores = new Map(units.map((unit, index) => [unit, index < 3 ? 1 : -9]));
    const spans = spansOf(passages, units.slice(0, 1), undefined, scores, MAX_WORDS);
    expect(paragraphsOf(spans)).toEqual([
      { passage: 0, text: 'A lost scarf costs £22. It is green.' },
    ]);
  });
});
