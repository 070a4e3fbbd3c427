import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { databaseNow } from '../../platform/database/database-now.js';
import { Reads } from '../../platform/database/reads.js';
import type { Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { paginate } from '../../platform/http/paginate.js';
import { Idempotency, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { type ResourceResolver, ResolvesResource } from '../../knowledge-bases/access.js';
import { Problem } from '../../platform/problems/problem.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { toWebhookDeliveryDto, WebhookDeliveryDto } from './webhook-delivery.dto.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookDeliveryJob } from './webhook-delivery-job.js';
import { WebhookDeliveryQueue, withJob } from './webhook-delivery-queue.js';
import { TEST_EVENT } from './webhook-events.js';
import { insertDeliveries } from './webhook-outbox.js';
import type { Webhook } from './webhook.entity.js';
import { WebhooksService } from './webhooks.service.js';

/** Lists deliveries for dashboard users, sends test events, and sends deliveries again. */
@Injectable()
@ResolvesResource({ resource: 'delivery', prefix: 'whd', withoutDocuments: true })
export class WebhookDeliveriesService implements ResourceResolver {
  constructor(
    @InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>,
    private readonly reads: Reads,
    private readonly webhooks: WebhooksService,
    private readonly jobs: Jobs,
    private readonly queue: WebhookDeliveryQueue,
    private readonly idempotency: Idempotency,
  ) {}

  async findKbId(id: string): Promise<string | undefined> {
    const delivery = await this.deliveries.findOne({ where: { id }, relations: { webhook: true } });
    return delivery?.webhook.state === 'deleted' ? undefined : delivery?.webhook.kbId;
  }

  async list(
    user: DashboardUser,
    webhookId: string,
    query: PageQueryDto,
  ): Promise<Page<WebhookDeliveryDto>> {
    await this.webhooks.find(user, webhookId);
    return this.reads.latest((manager) => {
      const rows = manager.createQueryBuilder(WebhookDelivery, 'delivery').where({ webhookId });
      return paginate(withJob(rows), query, toWebhookDeliveryDto);
    });
  }

  /** Sends a test event, in a single attempt. */
  async test(
    user: DashboardUser,
    webhookId: string,
    request?: IdempotentRequest,
  ): Promise<WebhookDeliveryDto> {
    const delivery = await this.webhooks.change(user, webhookId, async (manager, webhook) => {
      requireActive(webhook);
      const { answer } = await this.idempotency.once(manager, user.id, request, async () => {
        const data = { kb_id: webhook.kbId, webhook_id: webhookId };
        const createdAt = await databaseNow(manager);
        const [id = ''] = await insertDeliveries(manager, this.queue, [
          { webhookId, event: TEST_EVENT, createdAt, data },
        ]);
        return { id };
      });
      return findDelivery(manager, answer.id);
    });
    this.jobs.start(WebhookDeliveryJob);
    return toWebhookDeliveryDto(delivery);
  }

  /** Sends a delivery again with the same `webhook-id`; its schedule of attempts starts over. */
  async redeliver(user: DashboardUser, deliveryId: string): Promise<WebhookDeliveryDto> {
    const { webhookId } = await findDelivery(this.deliveries.manager, deliveryId);
    const delivery = await this.webhooks.change(user, webhookId, async (manager, webhook) => {
      requireActive(webhook);
      const current = await findDelivery(manager, deliveryId);
      // The delivery is being sent already, or is queued behind earlier ones.
      if (current.job?.state === 'leased' || current.state === 'waiting') return current;
      const again = { state: 'queued', attempts: 0, error: null } as const;
      await this.queue.add(manager, deliveryId);
      await manager.update(WebhookDelivery, { id: deliveryId }, again);
      return findDelivery(manager, deliveryId);
    });
    this.jobs.start(WebhookDeliveryJob);
    return toWebhookDeliveryDto(delivery);
  }
}

async function findDelivery(manager: EntityManager, id: string): Promise<WebhookDelivery> {
  const rows = manager.createQueryBuilder(WebhookDelivery, 'delivery').where({ id });
  const delivery = await withJob(rows).getOne();
  if (!delivery) throw new Problem('not_found');
  return delivery;
}

function requireActive({ state }: Webhook): void {
  if (state !== 'active') throw new Problem('webhook_deactivated');
}
