import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { UsageEvent } from '../usage/usage-recorder.js';
import { noticeSubject, EventNotices } from '../knowledge-bases/events/event-notices.js';
import { Events } from '../knowledge-bases/events/events.js';
import { toEventFields } from './api-key-transitions.js';
import { ApiKey } from './api-key.entity.js';
import { findGrants } from './find-api-key.js';

const PERIOD_MS = 60 * 60 * 1000;
const EVENT = 'api_key.used_after_revocation';

/**
 * Records an event in each knowledge base of a revoked or deleted key that is used, at most once an hour
 * per key.
 */
@Injectable()
export class ApiKeyMisuse {
  constructor(
    private readonly events: Events,
    private readonly notices: EventNotices,
  ) {}

  /** Runs in the transaction that counts the refused uses. */
  async notify(manager: EntityManager, events: readonly UsageEvent[]): Promise<void> {
    const refusals = events.flatMap((event) =>
      event.kind === 'refusal' && event.isKeyInactive ? [event.key] : [],
    );
    const keys = new Map(refusals.map(({ id, kbId }) => [id, kbId]));
    const grants = await findGrants(manager, [...keys.keys()]);
    // All transactions take the keys in the same order, so that they cannot deadlock.
    for (const [id, ownerId] of [...keys].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const subject = noticeSubject(EVENT, id);
      if (!(await this.notices.announcePeriodic(manager, subject, PERIOD_MS))) continue;
      const key = await manager.findOne(ApiKey, { where: { id }, withDeleted: true });
      if (!key) continue;
      const data = toEventFields(key);
      const kbIds = grants.get(id)?.map(({ kbId }) => kbId) ?? [ownerId];
      for (const kbId of kbIds) {
        await this.events.record(manager, { kbId, action: EVENT, data });
      }
    }
  }
}
