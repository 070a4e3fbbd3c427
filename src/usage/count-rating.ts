import type { EntityManager } from 'typeorm';
import { addToQuarters, requestKey } from './usage-counts.js';
import { UsageCount } from './usage-count.entity.js';
import type { UsedKey } from './key-use.js';

type Rating = 'up' | 'down' | null;

/** An answer with its time and the key that asked. */
interface RatedAnswer {
  readonly id: string;
  readonly key: UsedKey;
  readonly at: Date;
}

/** Replaces the rating of an answer. It counts in the quarter of an hour of the answer. */
export async function countRating(
  manager: EntityManager,
  answer: RatedAnswer,
  before: Rating,
  now: Rating,
): Promise<void> {
  if (before === now) return;
  // The row may have been removed.
  await manager.update(UsageCount, requestKey(answer), {
    up: Number(now === 'up'),
    down: Number(now === 'down'),
  });
  const counts = { ...(before && { [before]: -1 }), ...(now && { [now]: 1 }) };
  await addToQuarters(manager, [{ key: answer.key, at: answer.at, counts }]);
}
