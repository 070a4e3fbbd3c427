import type { EntityManager } from 'typeorm';
import { increment } from './counters.js';
import { UsageRecord } from './usage-record.entity.js';
import type { UsedKey } from './used-key.js';

type Rating = 'up' | 'down' | null;

/** An answer with when it was given and the key that it was given to. */
export interface RatedAnswer {
  readonly id: string;
  readonly key: UsedKey;
  readonly at: Date;
}

/** Counts a rating with its answer, whenever it is given, and no longer the one before. */
export async function countRating(
  manager: EntityManager,
  { id, key, at }: RatedAnswer,
  before: Rating,
  now: Rating,
): Promise<void> {
  if (before === now) return;
  await manager.update(UsageRecord, { id }, { rating: now });
  const counts = {
    ...(before && { [before]: -1 }),
    ...(now && { [now]: 1 }),
  };
  await increment(manager, [{ key, at, counts }]);
}
