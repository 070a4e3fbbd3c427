import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, Not, Repository } from 'typeorm';
import { deleteInBatches } from '../../platform/database/row-batches.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Job, type JobRound } from '../../platform/jobs/job.js';
import {
  NOT_UNDER_LEGAL_HOLD,
  UNDER_LEGAL_HOLD,
} from '../../knowledge-bases/settings/legal-hold.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { Webhook } from './webhook.entity.js';

const INTERVAL_MS = 10 * 60 * 1000;

/**
 * Removes deleted webhooks with their deliveries, and previous secrets that no longer sign. Encrypts secrets
 * under the current pepper.
 */
@Injectable()
export class WebhookCleanup {
  constructor(
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    private readonly secrets: WebhookSecrets,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @Job({ every: INTERVAL_MS, singleton: 'webhook-cleanup' })
  async cleanUp({ now, mayContinue }: JobRound): Promise<void> {
    if (!(await mayContinue())) return;
    await this.moveToCurrentPepper(mayContinue);
    await this.forgetPreviousSecrets(await now());
    const deleted = { state: 'deleted', kbId: NOT_UNDER_LEGAL_HOLD } as const;
    for (const { id } of await this.webhooks.findBy(deleted)) await this.remove(id, mayContinue);
  }

  /** When this is done, the previous pepper can be removed from the configuration. */
  private async moveToCurrentPepper(mayContinue: () => Promise<boolean>): Promise<void> {
    const { pepperId } = this.secrets;
    for (const webhook of await this.webhooks.findBy({ pepperId: Not(pepperId) })) {
      if (!(await mayContinue())) return;
      const opened = this.secrets.open(webhook);
      if (!opened) continue;
      const { id, secret } = webhook;
      const columns = {
        secret: this.secrets.seal(id, opened.secret),
        previousSecret: opened.previous === null ? null : this.secrets.seal(id, opened.previous),
        pepperId,
      };
      // This changes nothing if the secret was rotated in between.
      await this.unitOfWork.run((manager) => manager.update(Webhook, { id, secret }, columns));
    }
  }

  private async forgetPreviousSecrets(now: Date): Promise<void> {
    const expired = { previousSecretUntil: LessThanOrEqual(now) };
    if (!(await this.webhooks.existsBy(expired))) return;
    const none = { previousSecret: null, previousSecretUntil: null };
    await this.unitOfWork.run((manager) => manager.update(Webhook, expired, none));
  }

  private async remove(webhookId: string, mayContinue: () => Promise<boolean>): Promise<void> {
    const { isComplete } = await deleteInBatches(
      this.unitOfWork,
      WebhookDelivery,
      `webhook_id = :webhookId
        AND webhook_id NOT IN (SELECT id FROM webhooks WHERE kb_id IN (${UNDER_LEGAL_HOLD}))`,
      { webhookId },
      mayContinue,
    );
    if (isComplete) {
      const condition = `id = :webhookId AND kb_id NOT IN (${UNDER_LEGAL_HOLD})`;
      await deleteInBatches(this.unitOfWork, Webhook, condition, { webhookId }, mayContinue);
    }
  }
}
