import { describe, expect, it } from '@jest/globals';
import { mergeResults } from './merge-results.js';
import type { FoundPassage, QuestionTerm, SearchResult } from './search-index.js';

const term = (word: string, weight: number, isKnown = true): QuestionTerm => ({
  ...{ word, weight, isKnown },
  stems: [word],
  mayBeName: false,
});

interface Sample {
  readonly matched: readonly QuestionTerm[];
  readonly toAsked?: number;
  readonly text?: string;
}

function result(
  kbId: string,
  terms: readonly QuestionTerm[],
  samples: readonly Sample[],
): SearchResult {
  const passages = samples.map(({ matched, toAsked, text }, index): FoundPassage => ({
    kbId,
    passageId: `${kbId}${index + 1}`,
    documentId: kbId,
    documentTitle: kbId,
    ...{ externalId: null, sourceUrl: null, metadata: {}, heading: null, page: null },
    ...{
      locator: null,
      cells: null,
      language: 'en',
      date: null,
      contentDate: '2026-01-31',
      updatedAt: '2026-01-31T00:00:00.000Z',
      validUntil: null,
      documentVersion: 1,
      score: 1 - index / 100,
      coverage: 1,
    },
    text: text ?? `${kbId} ${index}`,
    matched,
    ...(toAsked !== undefined && { windows: [{ start: 0, end: 1, toAsked, toWhole: toAsked }] }),
  }));
  return { passages, partial: false, terms };
}

const times = (count: number, sample: Sample) => Array.from({ length: count }, () => sample);
const ids = ({ passages }: SearchResult) => passages.map(({ passageId }) => passageId);

// What is rare in a large knowledge base weighs more there than in one of three documents.
const large = [term('return', 4), term('order', 5)];
const small = [term('return', 0.5), term('order', 0.9)];

describe(mergeResults, () => {
  it('lets many good passages of one not hide the best of another', () => {
    const many = result('large', large, times(50, { matched: large }));
    const one = result('small', small, times(1, { matched: small }));
    expect(ids(mergeResults([many, one], 5))).toEqual([
      'large1',
      'small1',
      'large2',
      'large3',
      'large4',
    ]);
    expect(ids(mergeResults([one, many], 5))[0]).toBe('small1');
  });

  it('lets a small one that speaks of something else not come before what answers', () => {
    const [word] = small;
    const strange = [term('return', 0.5), term('order', 2, false)];
    const many = result('large', large, times(50, { matched: large }));
    const other = result('small', strange, times(3, { matched: word ? [word] : [] }));
    const best = ids(mergeResults([many, other], 5));
    expect(best.filter((id) => id.startsWith('small'))).toEqual([]);
    expect(ids(mergeResults([other, many], 5))).toEqual(best);
  });

  it('lets a large one that speaks of something else not hide the only answer', () => {
    const strange = [term('return', 4), term('order', 9, false)];
    const many = result('large', strange, times(50, { matched: strange.slice(0, 1) }));
    const one = result('small', small, times(1, { matched: small }));
    expect(ids(mergeResults([many, one], 5))[0]).toBe('small1');
  });

  it('goes by the nearness of meaning where passages have vectors', () => {
    const near = result('near', large, times(2, { matched: [], toAsked: 0.9 }));
    const far = result('far', large, times(2, { matched: [], toAsked: 0.3 }));
    expect(ids(mergeResults([far, near], 4))).toEqual(['near1', 'near2', 'far1', 'far2']);
    // By words and meaning together, the best of each come first.
    const many = result('many', large, times(9, { matched: large, toAsked: 0.9 }));
    const one = result('one', small, [{ matched: small, toAsked: 0.8 }]);
    expect(ids(mergeResults([many, one], 5))).toContain('one1');
  });

  it('keeps the order of each, with their own scores, which descend', () => {
    const one = result('one', large, [{ matched: [] }, { matched: large }, { matched: [] }]);
    const two = result('two', large, times(3, { matched: large.slice(0, 1) }));
    const { passages } = mergeResults([one, two], 10);
    const own = (kbId: string) => passages.filter((passage) => passage.kbId === kbId);
    expect(own('one').map(({ passageId }) => passageId)).toEqual(['one1', 'one2', 'one3']);
    expect(own('two').map(({ passageId }) => passageId)).toEqual(['two1', 'two2', 'two3']);
    const scores = passages.map(({ score }) => score);
    expect(scores).toEqual([1, 1, 0.99, 0.99, 0.98, 0.98]);
  });

  it('tells of a passage that two have once', () => {
    const sample = { matched: large, text: 'the same' };
    const [one, two] = [result('one', large, [sample]), result('two', large, [sample])];
    expect(ids(mergeResults([one, two], 5))).toEqual(['one1']);
  });

  it('leaves what one has found alone as it is', () => {
    const one = result('one', large, [{ matched: [] }, { matched: large }]);
    expect(mergeResults([one], 5)).toBe(one);
    const none = result('two', large, []);
    expect(mergeResults([one, none], 5).passages.map(({ score }) => score)).toEqual([1, 0.99]);
  });
});
