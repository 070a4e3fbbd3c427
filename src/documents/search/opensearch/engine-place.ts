import type { SearchPlace } from '../../../knowledge-bases/knowledge-base.entity.js';

/** The place of a knowledge base in a cluster: the shared index, or an index of its own. */
export type EnginePlace = 'shared' | 'own';

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

const BOTH = ['shared', 'own'] as const;

interface State {
  /** The place that questions use; it is complete. */
  readonly read: EnginePlace;
  /** The places that writes go to: both during a move. */
  readonly written: readonly EnginePlace[];
  /** The next state on the way to a place; the state itself at the end. */
  readonly towards: Readonly<Record<EnginePlace, SearchPlace>>;
}

/** In `preparing`, an own index may exist; it is not used, and is removed. */
const STATES: Readonly<Record<SearchPlace, State>> = {
  shared: { read: 'shared', written: ['shared'], towards: { own: 'preparing', shared: 'shared' } },
  preparing: { read: 'shared', written: ['shared'], towards: { own: 'to_own', shared: 'shared' } },
  to_own: { read: 'shared', written: BOTH, towards: { own: 'own', shared: 'preparing' } },
  own: { read: 'own', written: ['own'], towards: { own: 'own', shared: 'to_shared' } },
  to_shared: { read: 'own', written: BOTH, towards: { own: 'own', shared: 'preparing' } },
};

/** @param state undefined if the knowledge base does not exist */
export const readPlace = (state: SearchPlace | undefined): EnginePlace =>
  STATES[state ?? 'shared'].read;

/**
 * Returns the places to write to, even if the database has the postings: the engine still gets all
 * writes.
 */
export const writePlaces = (state: SearchPlace | undefined): readonly EnginePlace[] =>
  STATES[state ?? 'shared'].written;

export const stateTowards = (state: SearchPlace, to: EnginePlace): SearchPlace =>
  STATES[state].towards[to];
