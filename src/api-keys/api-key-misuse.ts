import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { UsageEvent } from '../activity/usage/usage-recorder.js';
import { noticeSubject, WebhookNotices } from '../activity/webhooks/webhook-notices.js';
import { WebhookOutbox } from '../activity/webhooks/webhook-outbox.js';
import { toEventFields } from './api-key-transitions.js';
import { ApiKey } from './api-key.entity.js';

const PERIOD_MS = 60 * 60 * 1000;
const EVENT = 'api_key.used_after_revocation';

/** Notifies webhooks when a revoked or deleted key is used, at most once an hour for each key. */
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
    // In one order, so that parallel transactions cannot deadlock.
    for (const [id, kbId] of [...keys].sort(([a], [b]) => (a < b ? -1 : 1))) {
      await this.outbox.record(manager, kbId, EVENT, async () => {
        const subject = noticeSubject(EVENT, id);
        if (!(await this.notices.announcePeriodic(manager, subject, PERIOD_MS))) return [];
        const key = await manager.findOne(ApiKey, { where: { id }, withDeleted: true });
        return key ? [toEventFields(key)] : [];
      });
    }
  }
}
