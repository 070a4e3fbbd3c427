import { describe, expect, it } from '@jest/globals';
import type { FoundPassage, SearchResult } from '@latchkey/ranking/search-index';
import { composeAnswer, mergeFound, type ReadQuestion } from './compose-answer.js';

const passage = (id: string): FoundPassage => ({
  ...{ passageId: id, documentId: id, documentTitle: id, text: `Text of ${id}.` },
  ...{ externalId: null, sourceUrl: null, metadata: {}, heading: null, page: null },
  ...{
    locator: null,
    cells: null,
    language: 'en',
    score: 1,
    coverage: 1,
    matched: [],
    kbId: 'kb',
    date: null,
    contentDate: '2026-01-31',
    updatedAt: '2026-01-31T00:00:00.000Z',
    validUntil: null,
    documentVersion: 1,
  },
});
const foundOf = (...ids: string[]): SearchResult => ({
  passages: ids.map(passage),
  ...{ partial: false, terms: [] },
});

/** A question whose answer is in one of the passages that were found for it. */
const question = (asked: string, ids: string[], at: number, confidence = 1): ReadQuestion => ({
  ...{ asked, context: [], text: asked, refusalText: 'Nothing found.', found: foundOf(...ids) },
  reading: {
    confidence,
    paragraphs: [{ passage: at, text: `Answer in ${String(ids[at])}` }],
    quotes: [{ passage: at, start: 0, end: 4, text: 'Text' }],
    conflict: false,
    nearest: [at, ...ids.keys()].map((passage) => ({ passage, start: 0, end: 4, text: 'Text' })),
  },
});
const compose = (...questions: ReadQuestion[]) =>
  composeAnswer(questions, mergeFound(questions), null);
const idsOf = (sources: readonly { chunk_id: string }[]) => sources.map((one) => one.chunk_id);

describe(composeAnswer, () => {
  it('leaves the passages of one question in their order', () => {
    const { text, sources, hasOpenQuestion } = compose(question('One?', ['a', 'b', 'c'], 1));
    expect(text).toBe('Answer in b [2]');
    expect(idsOf(sources)).toEqual(['a', 'b', 'c']);
    expect(sources.map(({ cited }) => cited)).toEqual([false, true, false]);
    expect(hasOpenQuestion).toBe(false);
  });

  it('answers each of two, from no more passages than one question has', () => {
    const { text, sources } = compose(
      question('One?', ['a', 'b', 'c'], 2),
      question('Two?', ['d', 'a', 'e'], 0),
    );
    expect(text).toBe('Answer in c [1]\n\nAnswer in d [2]');
    expect(idsOf(sources)).toEqual(['c', 'd', 'a']);
    expect(sources.map(({ quote }) => quote?.text)).toEqual(['Text', 'Text', undefined]);
  });

  const withValue = (asked: ReadQuestion, text: string): ReadQuestion => ({
    ...asked,
    reading: { ...asked.reading, value: { passage: 0, start: 0, end: text.length, text } },
  });

  it('begins with the value that was asked for', () => {
    const { text, value, sources } = compose(withValue(question('One?', ['a'], 0), '£75'));
    expect(text).toBe('£75\nAnswer in a [1]');
    expect(value).toBe('£75');
    expect(sources[0]?.quote?.text).toBe('Text');
    expect(compose(withValue(question('One?', ['a'], 0), 'Answer')).text).toBe('Answer in a [1]');
    expect(compose(question('One?', ['a'], 0)).value).toBeNull();
  });

  it.each([
    ['5', '50 guests', '5\n50 guests [1]'],
    ['5', '5.5 guests', '5\n5.5 guests [1]'],
    ['5', '5 guests', '5 guests [1]'],
    ['5,000円', '5,000円です。', '5,000円です。 [1]'],
  ])('repeats %j only if %j begins with another word', (value, paragraph, text) => {
    const asked = withValue(question('One?', ['a'], 0), value);
    const reading = { ...asked.reading, paragraphs: [{ passage: 0, text: paragraph }] };
    expect(compose({ ...asked, reading }).text).toBe(text);
  });

  it('begins each of two answers with its value, and has none for both', () => {
    const { text, value } = compose(
      withValue(question('One?', ['a'], 0), '£75'),
      withValue(question('Two?', ['b'], 0), '3 days'),
    );
    expect(text).toBe('£75\nAnswer in a [1]\n\n3 days\nAnswer in b [2]');
    expect(value).toBeNull();
  });

  it('has no value where it refuses', () => {
    const refused = withValue(question('One?', ['a'], 0, 0.1), '£75');
    expect(compose(refused)).toMatchObject({ text: undefined, value: null });
  });

  it('quotes once what answers both', () => {
    const both = [question('One?', ['a', 'b'], 0), question('Two?', ['b', 'a'], 1)];
    expect(compose(...both).text).toBe('Answer in a [1]');
  });

  it('says which of them has no answer, and what may help with it', () => {
    const { text, sources, related, hasOpenQuestion } = compose(
      question('One?', ['a', 'b'], 0),
      question('Two [2]?', ['c', 'b'], 0, 0.1),
    );
    expect(text).toBe('Answer in a [1]\n\nTwo ?\nNothing found.');
    expect(sources.filter(({ cited }) => cited)).toHaveLength(1);
    expect([hasOpenQuestion, idsOf(related)]).toEqual([true, ['c', 'b']]);
  });

  it('refuses where none has an answer', () => {
    const refused = compose(question('One?', ['a'], 0, 0.1), question('Two?', ['b'], 0, 0.2));
    expect(refused).toMatchObject({ text: undefined, hasOpenQuestion: false });
    expect(idsOf(refused.related)).toEqual(['a', 'b']);
  });

  it('has related passages for a model that refuses what would be quoted', () => {
    expect(idsOf(compose(question('One?', ['a', 'b'], 1)).related)).toEqual(['b', 'a']);
  });

  it('shows what comes nearest to an answer, of each question in turn', () => {
    const refused = [
      question('One?', ['a', 'b', 'c'], 2, 0.1),
      question('Two?', ['d', 'a', 'e'], 0, 0.2),
    ];
    const { related } = compose(...refused);
    expect(idsOf(related)).toEqual(['c', 'd', 'a']);
    expect(related.every(({ quote }) => quote?.text === 'Text')).toBe(true);
  });
});
