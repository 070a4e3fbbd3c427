import { describe, expect, it } from '@jest/globals';
import { findConflicts } from './conflicts.js';
import type { Span } from './spans.js';
import type { RatedUnit } from './unit-features.js';

interface Quoted {
  readonly title?: string;
  readonly heading?: string;
  readonly document?: string;
  readonly date?: string;
  readonly text: string;
}

/** The passages that contradict each other, with the first number of each as its value. */
const contradict = (quoted: readonly Quoted[], question = 'How long is the notice period?') =>
  findConflicts(
    quoted.map(({ text }, passage) => ({ passage, units: [{ text }] }) as unknown as Span),
    quoted.map(({ title = 'Handbook', heading = null, date, document }, index) => ({
      ...{ title, heading, date },
      document: document ?? `d${index}`,
    })),
    question,
    ({ text }: RatedUnit) => text.split(' ').at(-2),
  );

const FOUR = 'The notice period is 4 weeks.';
const SIX = 'The notice period is 6 weeks.';

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
