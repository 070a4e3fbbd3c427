import { Events } from '../events/events.js';
import type { EntityManager } from 'typeorm';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import type { Principals } from './principals.js';

/**
 * Records that an owner asked in the name of others, because the answer may reveal what only they may read.
 */
export async function recordAskedAs(
  events: Events,
  manager: EntityManager,
  user: DashboardUser,
  kbId: string,
  principals: Principals | undefined,
): Promise<void> {
  if (!principals) return;
  const details = { principals };
  const event = { kbId, action: 'knowledge_base.asked_as', targetId: kbId, details } as const;
  await events.recordChange(manager, user, event);
}
