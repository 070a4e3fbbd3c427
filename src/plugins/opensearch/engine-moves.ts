import type { EnginePlace } from '../../documents/search/engine/engine-place.js';
import type { SearchPlace } from '../../knowledge-bases/knowledge-base.entity.js';

/** Returns the alias that requests to a place use. */
export const aliasIn = (place: EnginePlace, shared: string, kbId: string): string =>
  place === 'own' ? `${shared}-${kbId}` : shared;

/** The share of the limit below which a knowledge base loses its own index again. */
const KEPT_SHARE = 0.25;

/** @param limit the number of passages from which a knowledge base gets its own index */
export function placeFor(passages: number, limit: number, now: SearchPlace): EnginePlace {
  if (passages >= limit) return 'own';
  const isKept = now === 'own' || now === 'to_own';
  return isKept && passages >= limit * KEPT_SHARE ? 'own' : 'shared';
}

/**
 * The lowest and highest passage number of a knowledge base; the sequence is shared by all knowledge
 * bases.
 */
export interface NumberSpan {
  readonly oldest: number;
  readonly newest: number;
}

/**
 * Returns an upper bound for the passages of a knowledge base: numbers in between may belong to others.
 *
 * @param counted an earlier count, with the newest number at that time
 */
export const mostPassages = (
  { oldest, newest }: NumberSpan,
  counted?: { readonly passages: number; readonly newest: number },
): number =>
  counted ? counted.passages + Math.max(newest - counted.newest, 0) : newest - oldest + 1;

/** The next state on the way to a place; the state itself at the end. */
const NEXT: Readonly<Record<SearchPlace, Readonly<Record<EnginePlace, SearchPlace>>>> = {
  shared: { own: 'preparing', shared: 'shared' },
  preparing: { own: 'to_own', shared: 'shared' },
  to_own: { own: 'own', shared: 'preparing' },
  own: { own: 'own', shared: 'to_shared' },
  to_shared: { own: 'own', shared: 'preparing' },
};

export const stateTowards = (state: SearchPlace, to: EnginePlace): SearchPlace => NEXT[state][to];
