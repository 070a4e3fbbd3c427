import type { Window } from '@latchkey/embeddings/windows';
import { embeddedUnits } from './embedded-units.js';
import { MAX_LENGTH, MAX_PASSAGES, type QuotablePassage } from './reading.js';
import { findNearestWindowOver } from './unit-features.js';

/** Each takes some milliseconds of the model, for which the question waits; more are hardly better. */
const MAX_SENTENCES = 16;

/**
 * Chooses the units that are compared with the question by vectors of their own: those of the windows that are
 * nearest to it. The others are compared by their windows.
 *
 * @returns the units of each passage, as they are embedded
 */
export function chooseSentences(passages: readonly QuotablePassage[]): Window[][] {
  let left = MAX_LENGTH;
  const near = passages.slice(0, MAX_PASSAGES).flatMap((passage, index) => {
    left -= passage.text.length;
    if (!passage.windows || left < 0) return [];
    return embeddedUnits(passage).map((unit) => ({
      unit,
      index,
      nearness: findNearestWindowOver(passage.windows, unit)?.toAsked ?? -1,
    }));
  });
  const chosen = near.sort((one, other) => other.nearness - one.nearness).slice(0, MAX_SENTENCES);
  return passages.map((_, passage) =>
    chosen.filter(({ index }) => index === passage).map(({ unit }) => unit),
  );
}
