import { describe, expect, it } from '@jest/globals';
import type { FoundPassage } from '@latchkey/ranking/search-index';
import { addNeighbours } from './add-neighbours.js';

const passage = (passageId: string, text: string) => ({ passageId, text }) as FoundPassage;

describe(addNeighbours.name, () => {
  const added = (
    passages: readonly FoundPassage[],
    neighbours: Record<string, { before?: string; after?: string }>,
  ) =>
    addNeighbours(passages, new Map(Object.entries(neighbours))).map(({ text, before, after }) => ({
      ...{ before, text, after },
    }));

  it('adds each text once, and none that is a passage itself', () => {
    const [one, two, three] = ['Open at seven.', 'Closed at four.', 'Open again at five.'];
    const passages = [passage('1', one), passage('3', three)];
    expect(added(passages, { 1: { after: two }, 3: { before: two, after: 'Never.' } })).toEqual([
      { before: undefined, text: one, after: two },
      { before: undefined, text: three, after: 'Never.' },
    ]);
    const all = [passage('1', one), passage('2', two)];
    expect(added(all, { 1: { after: two }, 2: { before: one } })).toEqual([
      { before: undefined, text: one, after: undefined },
      { before: undefined, text: two, after: undefined },
    ]);
  });

  it('leaves out what a text shares with its passage', () => {
    const [open, closed, again] = [
      ...['The shop opens at seven.', 'It closes for lunch at noon.', 'It opens again at one.'],
    ];
    const neighbours = { 1: { before: `${open} ${closed}`, after: `${again} Never.` } };
    expect(added([passage('1', `${closed} ${again}`)], neighbours)).toEqual([
      { before: `${open} `, text: `${closed} ${again}`, after: ' Never.' },
    ]);
    // One equal letter is no overlap.
    expect(added([passage('1', 'The end.')], { 1: { before: 'Lot T' } })).toMatchObject([
      { before: 'Lot T' },
    ]);
  });
});
