import type { FoundPassage } from '@latchkey/ranking/search-index';
import type { Neighbours } from '../documents/neighbouring-passages.js';
import { findOverlap } from './find-overlap.js';
import type { ModelPassage } from './prompt.js';

/** Fewer equal characters are chance, and no overlap of two passages. */
const MIN_OVERLAP = 20;

/**
 * Adds the texts beside passages. A text that stood twice could be cited by two numbers, so each is added once,
 * without what it shares with its passage, and none that is a passage itself.
 */
export function addNeighbours(
  passages: readonly FoundPassage[],
  neighbours: ReadonlyMap<string, Neighbours>,
): ModelPassage[] {
  const known = new Set(passages.map(({ text }) => text));
  const takeOnce = (text: string | undefined) => {
    if (text === undefined || known.has(text)) return undefined;
    known.add(text);
    return text;
  };
  return passages.map((passage) => {
    const { before, after } = neighbours.get(passage.passageId) ?? {};
    return {
      ...passage,
      ...withoutShared(passage.text, takeOnce(before), takeOnce(after)),
    };
  });
}

/** The texts beside a passage without what they share with it. */
export const withoutShared = (
  text: string,
  before: string | undefined,
  after: string | undefined,
) => ({
  before: before?.slice(0, before.length - countShared(before, text)) || undefined,
  after: after?.slice(countShared(text, after)) || undefined,
});

function countShared(text: string, next: string): number {
  const shared = text.length - findOverlap(text, next);
  return shared < MIN_OVERLAP ? 0 : shared;
}
