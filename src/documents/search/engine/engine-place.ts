import type { SearchPlace } from '../../../knowledge-bases/knowledge-base.entity.js';

/** The place of a knowledge base in a search engine: the shared index, or an index of its own. */
export type EnginePlace = 'shared' | 'own';

const BOTH = ['shared', 'own'] as const;

interface State {
  /** The place that questions use; it is complete. */
  readonly read: EnginePlace;
  /** The places that writes go to: both during a move. */
  readonly written: readonly EnginePlace[];
}

/** In `preparing`, an own index may exist; it is not used, and is removed. */
const STATES: Readonly<Record<SearchPlace, State>> = {
  shared: { read: 'shared', written: ['shared'] },
  preparing: { read: 'shared', written: ['shared'] },
  to_own: { read: 'shared', written: BOTH },
  own: { read: 'own', written: ['own'] },
  to_shared: { read: 'own', written: BOTH },
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
