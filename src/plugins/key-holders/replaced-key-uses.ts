import { Injectable } from '@nestjs/common';
import { type EntityManager, In, IsNull, Not } from 'typeorm';
import { toEventFields } from '../../api-keys/api-key-transitions.js';
import { ApiKey } from '../../api-keys/api-key.entity.js';
import { findOpenedKbIds } from '../../api-keys/find-api-key.js';
import { EventNotices, noticeSubject } from '../../knowledge-bases/events/event-notices.js';
import { Events } from '../../knowledge-bases/events/events.js';
import { type UsageEvent, type UsageWriter, WritesUsage } from '../../usage/usage-recorder.js';

const EVENT = 'api_key.used_after_rotation';
const PERIOD_MS = 24 * 60 * 60 * 1000;

/**
 * Records an event when a key that was rotated is still used in the second half of the time that it has left, at
 * most once a day and key: its holder may have forgotten to switch.
 */
@Injectable()
@WritesUsage()
export class ReplacedKeyUses implements UsageWriter {
  constructor(
    private readonly events: Events,
    private readonly notices: EventNotices,
  ) {}

  /** Runs in the transaction that counts the uses. */
  async writeUsage(manager: EntityManager, events: readonly UsageEvent[]): Promise<void> {
    const uses = new Map<string, Date>();
    for (const event of events) {
      if (event.kind !== 'use') continue;
      const { key, at } = event;
      const latest = uses.get(key.id);
      if (!latest || latest < at) uses.set(key.id, at);
    }
    if (uses.size === 0) return;
    // All transactions take the keys in the same order, so that they cannot deadlock.
    const replaced = await manager.find(ApiKey, {
      where: {
        id: In([...uses.keys()]),
        rotatedTo: Not(IsNull()),
        state: 'active',
        // Webhooks belong to knowledge bases.
        ownerType: 'knowledge_base',
      },
      order: { id: 'ASC' },
    });
    if (replaced.length === 0) return;
    const successors = await manager.find(ApiKey, {
      where: { id: In(replaced.map(({ rotatedTo }) => rotatedTo)) },
      withDeleted: true,
    });
    const rotatedAt = new Map(
      successors.map(({ rotatedFrom, createdAt }) => [rotatedFrom, createdAt]),
    );
    for (const key of replaced) {
      if (!isLate(uses.get(key.id), rotatedAt.get(key.id), key.expiresAt)) continue;
      const subject = noticeSubject(EVENT, key.id);
      if (!(await this.notices.announcePeriodic(manager, subject, PERIOD_MS))) continue;
      const data = toEventFields(key);
      for (const kbId of await findOpenedKbIds(manager, key)) {
        await this.events.record(manager, { kbId, action: EVENT, data });
      }
    }
  }
}

/** Whether a use was in the second half of the time between the rotation and the end of the key. */
function isLate(
  usedAt: Date | undefined,
  rotatedAt: Date | undefined,
  expiresAt: Date | null,
): boolean {
  if (!usedAt || !rotatedAt || !expiresAt) return false;
  return usedAt.getTime() >= (rotatedAt.getTime() + expiresAt.getTime()) / 2;
}
