import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { UsageEvent } from '../activity/usage/usage-recorder.js';
import { noticeSubject, WebhookNotices } from '../activity/webhooks/webhook-notices.js';
import { WebhookOutbox } from '../activity/webhooks/webhook-outbox.js';
import { toEventFields } from './api-key-transitions.js';
import { ApiKey } from './api-key.entity.js';
import { othersOf } from './find-api-key.js';

const PERIOD_MS = 60 * 60 * 1000;
const EVENT = 'api_key.used_after_revocation';

/**
 * Notifies webhooks of each knowledge base of a key when it is used though it is revoked or deleted, at most
 * once an hour for each key.
 */
@Injectable()
export class ApiKeyMisuse {
  constructor(
    private readonly outbox: WebhookOutbox,
    private readonly notices: WebhookNotices,
  ) {}

  /** Runs in the transaction that counts the refused uses. */
  async notify(manager: EntityManager, events: readonly UsageEvent[]): Promise<void> {
    const refusals = events.flatMap((event) =>
      event.kind === 'refusal' && event.isKeyInactive ? [event.key] : [],
    );
    const keys = new Map(refusals.map(({ id, kbId }) => [id, kbId]));
    const others = await othersOf(manager, [...keys.keys()]);
    // In one order, so that parallel transactions cannot deadlock.
    for (const [id, mainKbId] of [...keys].sort(([a], [b]) => (a < b ? -1 : 1))) {
      let isDue: Promise<boolean> | undefined;
      for (const kbId of [mainKbId, ...(others.get(id) ?? []).map((other) => other.kbId)]) {
        await this.outbox.record(manager, kbId, EVENT, async () => {
          isDue ??= this.notices.announcePeriodic(manager, noticeSubject(EVENT, id), PERIOD_MS);
          if (!(await isDue)) return [];
          const key = await manager.findOne(ApiKey, { where: { id }, withDeleted: true });
          return key ? [toEventFields(key)] : [];
        });
      }
    }
  }
}
