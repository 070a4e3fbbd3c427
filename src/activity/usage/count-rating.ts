import type { EntityManager } from 'typeorm';
import { addToRollUp } from './roll-up.js';
import { UsageRecord } from './usage-record.entity.js';
import type { UsedKey } from './used-key.js';

type Rating = 'up' | 'down' | null;

/** An answer with when it was given and the key that it was given to. */
export interface RatedAnswer {
  readonly id: string;
  readonly key: UsedKey;
  readonly at: Date;
}

/** Replaces the rating of an answer, which counts in the quarter of an hour of the answer. */
export async function countRating(
  manager: EntityManager,
  { id, key, at }: RatedAnswer,
  before: Rating,
  now: Rating,
): Promise<void> {
  if (before === now) return;
  await manager.update(UsageRecord, { id }, { rating: now });
  const counts = { ...(before && { [before]: -1 }), ...(now && { [now]: 1 }) };
  await addToRollUp(manager, [{ key, at, counts }]);
}
