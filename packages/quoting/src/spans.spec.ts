import { describe, expect, it } from '@jest/globals';
import { ratePassages } from './read-passages.js';
import { MAX_WORDS } from './reading.js';
import { buildParagraphs, chooseSpans } from './spans.js';

describe(chooseSpans, () => {
  it('ends before a sentence as short as a heading whose paragraph is not quoted', () => {
    const text = `A lost scarf costs £22. It is green.

Article 7: Lost keys. ${'Keys are copied by the caretaker. '.repeat(12)}`;
    const passage = { text, title: '', heading: null, language: null, matched: [] };
    const { passages } = ratePassages({ question: 'Lost scarf?', terms: [], passages: [passage] });
    const units = passages[0]?.units ?? [];
    // All are as near to the question, as they may be by their vectors.
    const scores = new Map(units.map((unit, index) => [unit, index < 3 ? 1 : -9]));
    const spans = chooseSpans(passages, units.slice(0, 1), undefined, scores, MAX_WORDS);
    expect(buildParagraphs(spans)).toEqual([
      { passage: 0, text: 'A lost scarf costs £22. It is green.' },
    ]);
  });
});
