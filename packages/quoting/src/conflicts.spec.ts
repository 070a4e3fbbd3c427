import { describe, expect, it } from '@jest/globals';
import { findConflicts, findDatedAlike } from './conflicts.js';
import type { Span } from './spans.js';
import type { RatedUnit } from './unit-features.js';

interface Quoted {
  readonly title?: string;
  readonly heading?: string;
  readonly document?: string;
  readonly date?: string;
  readonly text: string;
}

const find =
  (search: typeof findConflicts) =>
  (quoted: readonly Quoted[], question = ASKED) =>
    search(
      quoted.map(({ text }, passage) => ({ passage, units: [{ text }] }) as unknown as Span),
      quoted.map(({ title = 'Handbook', heading = null, date, document }, index) => ({
        ...{ title, heading, date },
        document: document ?? `d${index}`,
      })),
      question,
      ({ text }: RatedUnit) => /\d[\d,]*/.exec(text)?.[0],
    );
/** The passages that contradict each other, with the first number of each as its value. */
const contradict = find(findConflicts);
const findAlike = find(findDatedAlike);

const FOUR = 'The notice period is 4 weeks.';
const SIX = 'The notice period is 6 weeks.';
const ASKED = 'How long is the notice period?';

describe(findConflicts.name, () => {
  it('finds documents that say the same with another value, the newer first', () => {
    expect(
      contradict([
        { text: FOUR, date: '2025-03' },
        { text: SIX, date: '2026-01-10' },
      ]),
    ).toEqual([1, 0]);
    expect(
      contradict([
        { title: 'Notice rules', text: FOUR, date: '2026' },
        { title: 'FAQ', text: SIX, date: '2025' },
      ]),
    ).toEqual([0, 1]);
  });

  it.each<[string, [Quoted, Quoted]]>([
    ['values are the same', [{ text: FOUR }, { text: FOUR }]],
    [
      'the document is the same',
      [
        { text: FOUR, document: 'd' },
        { text: SIX, document: 'd' },
      ],
    ],
    [
      'wording may be about something else',
      [{ text: FOUR }, { text: 'The notice period for trainees is 6 weeks.' }],
    ],
    [
      'titles name different subjects',
      [
        { title: 'Handbook Norway', text: FOUR },
        { title: 'Handbook Austria', text: SIX },
      ],
    ],
    [
      'titles have nothing in common, nor with the question',
      [
        { title: 'Oslo', text: FOUR },
        { title: 'Vienna', text: SIX },
      ],
    ],
    [
      'headings name different subjects',
      [
        { heading: 'Employees', text: FOUR },
        { heading: 'Trainees', text: SIX },
      ],
    ],
    [
      'numbers are written differently',
      [{ text: 'The notice period is 1,000 weeks.' }, { text: 'The notice period is 1000 weeks.' }],
    ],
  ])('finds none where %s', (_, quoted) => {
    expect(contradict(quoted)).toEqual([]);
  });
});

describe(findDatedAlike.name, () => {
  const OLD = { title: 'Handbook', text: FOUR, date: '2023-01-10' };
  const NEW = { title: 'Intranet', text: 'The notice period is 6 weeks in all.', date: '2025' };

  it('puts the newer first of documents that answer alike with another value', () => {
    expect(findAlike([OLD, NEW])).toEqual([1, 0]);
    expect(findAlike([NEW, OLD])).toEqual([0, 1]);
  });

  it.each<[string, Quoted[], string]>([
    [
      'the values are the same',
      [OLD, { ...NEW, text: 'The notice period is 4 weeks in all.' }],
      ASKED,
    ],
    ['the days are the same', [OLD, { ...NEW, date: '2023-01-10' }], ASKED],
    ['a day is not known', [OLD, { title: 'Intranet', text: SIX }], ASKED],
    [
      'the sentences say something else',
      [OLD, { ...NEW, text: 'Trainees may leave after 6 weeks.' }],
      ASKED,
    ],
    ['the question names one of the documents', [OLD, NEW], 'How long is it in the handbook?'],
  ])('does not where %s', (_, quoted, question) => {
    expect(findAlike(quoted, question)).toEqual([]);
  });
});
