import type { SearchPlace } from '../../../knowledge-bases/knowledge-base.entity.js';

/** Where in a cluster a knowledge base is: among others, or in an index of its own. */
export type EnginePlace = 'shared' | 'own';

/** What requests to a place go to. */
export const aliasIn = (place: EnginePlace, shared: string, kbId: string): string =>
  place === 'own' ? `${shared}-${kbId}` : shared;

/** Of the passages that give a knowledge base an index of its own, how many it must keep to stay there. */
const KEPT_SHARE = 0.25;

/** @param limit from how many passages on a knowledge base has an index of its own */
export function placeFor(passages: number, limit: number, now: SearchPlace): EnginePlace {
  if (passages >= limit) return 'own';
  const isKept = now === 'own' || now === 'to_own';
  return isKept && passages >= limit * KEPT_SHARE ? 'own' : 'shared';
}

/** Numbers of passages, in the order in which all knowledge bases get them. */
export interface NumberSpan {
  readonly oldest: number;
  readonly newest: number;
}

/**
 * How many passages of a knowledge base there are at most: those of others may lie between them.
 *
 * @param counted how many it had when `newest` was the last
 */
export const mostPassages = (
  { oldest, newest }: NumberSpan,
  counted?: { readonly passages: number; readonly newest: number },
): number =>
  counted ? counted.passages + Math.max(newest - counted.newest, 0) : newest - oldest + 1;

const BOTH = ['shared', 'own'] as const;

interface State {
  /** Where questions go: all of it is there. */
  readonly read: EnginePlace;
  /** Where writes go: to both places while it moves. */
  readonly written: readonly EnginePlace[];
  /** What comes next on the way to a place; itself at the end. */
  readonly towards: Readonly<Record<EnginePlace, SearchPlace>>;
}

/** While it is `preparing`, an index of its own may be there, is not used, and is removed. */
const STATES: Readonly<Record<SearchPlace, State>> = {
  shared: { read: 'shared', written: ['shared'], towards: { own: 'preparing', shared: 'shared' } },
  preparing: { read: 'shared', written: ['shared'], towards: { own: 'to_own', shared: 'shared' } },
  to_own: { read: 'shared', written: BOTH, towards: { own: 'own', shared: 'preparing' } },
  own: { read: 'own', written: ['own'], towards: { own: 'own', shared: 'to_shared' } },
  to_shared: { read: 'own', written: BOTH, towards: { own: 'own', shared: 'preparing' } },
};

/** @param state undefined of a knowledge base that is not there */
export const readPlace = (state: SearchPlace | undefined): EnginePlace =>
  STATES[state ?? 'shared'].read;

/** Also where the database has the postings: the engine still gets what is written. */
export const writePlaces = (state: SearchPlace | undefined): readonly EnginePlace[] =>
  STATES[state ?? 'shared'].written;

export const stateTowards = (state: SearchPlace, to: EnginePlace): SearchPlace =>
  STATES[state].towards[to];
