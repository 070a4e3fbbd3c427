import { shownId } from '../../knowledge-bases/events/events.js';
import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Repository } from 'typeorm';
import { changedFields } from '../../knowledge-bases/audit/changed-fields.js';
import { Config } from '../../platform/config/config.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { databaseNow } from '../../platform/database/database-now.js';
import type { Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { paginate } from '../../platform/http/paginate.js';
import { newId } from '../../platform/http/type-id.js';
import { Idempotency, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { type ResourceResolver, ResolvesResource } from '../../knowledge-bases/access.js';
import {
  type ChangeOptions,
  KnowledgeBaseAccess,
} from '../../knowledge-bases/knowledge-base-access.js';
import { requireNoLegalHold } from '../../knowledge-bases/settings/legal-hold.js';
import { invalidField, Problem } from '../../platform/problems/problem.js';
import { leadsToPublicAddress, findUrlProblem } from '../../platform/http/receiver-address.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { WebhookCleanup } from './webhook-cleanup.js';
import { lockWebhooks } from './webhook-delivery-queue.js';
import type { CreateWebhookDto, UpdateWebhookDto } from './webhook-requests.dto.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookTransitions } from './webhook-transitions.js';
import { type IssuedWebhookDto, toWebhookDto, WebhookDto } from './webhook.dto.js';
import { Webhook } from './webhook.entity.js';

const MAX_WEBHOOKS = 10;
/** How long after a rotation deliveries are also signed with the previous secret. */
const SECRET_OVERLAP_MS = 24 * 60 * 60 * 1000;
/** A name that takes longer to look up is checked only when a delivery is sent. */
const LOOKUP_TIMEOUT_MS = 2000;

const NOT_DELETED = In(['active', 'deactivated']);

@Injectable()
@ResolvesResource({ resource: 'webhook', prefix: 'wh', withoutDocuments: true })
export class WebhooksService implements ResourceResolver {
  constructor(
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    private readonly access: KnowledgeBaseAccess,
    private readonly transitions: WebhookTransitions,
    private readonly secrets: WebhookSecrets,
    private readonly idempotency: Idempotency,
    private readonly jobs: Jobs,
    private readonly config: Config,
  ) {}

  async findKbId(id: string): Promise<string | undefined> {
    return (await this.webhooks.findOneBy({ id, state: NOT_DELETED }))?.kbId;
  }

  async create(
    user: DashboardUser,
    kbId: string,
    { url, events, description }: CreateWebhookDto,
    request?: IdempotentRequest,
  ): Promise<IssuedWebhookDto> {
    await this.requireReceiver(url);
    // The limit spans rows, so parallel requests must wait for each other.
    const options = { role: 'member', lock: 'knowledge base' } as const;
    const webhook = await this.access.change(user, kbId, options, async (manager) => {
      const { answer } = await this.idempotency.once(manager, user.id, request, async () => {
        if ((await manager.countBy(Webhook, { kbId, state: NOT_DELETED })) >= MAX_WEBHOOKS) {
          throw new Problem('webhook_limit_reached');
        }
        const id = newId('wh');
        const now = new Date();
        await this.transitions.add(manager, user, {
          ...{ id, kbId, url, events, description: description ?? null },
          ...{ secret: this.secrets.seal(id, this.secrets.generate()), secretIssuedAt: now },
          ...{ previousSecret: null, previousSecretUntil: null, pepperId: this.secrets.pepperId },
          ...{ createdBy: shownId(user), createdAt: now, updatedAt: now },
        });
        return { id, secretIssuedAt: now.toISOString() };
      });
      return findIssued(manager, answer);
    });
    return this.toIssued(webhook);
  }

  async list(user: DashboardUser, kbId: string, query: PageQueryDto): Promise<Page<WebhookDto>> {
    await this.access.requireMember(user, kbId);
    const rows = this.webhooks.createQueryBuilder('webhook').where({ kbId, state: NOT_DELETED });
    return paginate(rows, query, toWebhookDto);
  }

  async get(user: DashboardUser, webhookId: string): Promise<WebhookDto> {
    return toWebhookDto(await this.find(user, webhookId));
  }

  async update(
    user: DashboardUser,
    webhookId: string,
    { state, ...dto }: UpdateWebhookDto,
  ): Promise<WebhookDto> {
    const fields = changedFields(dto);
    if (dto.url !== undefined) await this.requireReceiver(dto.url);
    if (fields.length === 0 && state === undefined) return this.get(user, webhookId);
    return this.change(user, webhookId, async (manager, webhook) => {
      if (fields.length > 0) {
        const { url, events, description } = dto;
        const columns = { url, events, description };
        await this.transitions.apply(manager, user, 'update', webhook, {
          columns,
          details: { fields },
        });
      }
      if (state === 'active') await this.transitions.apply(manager, user, 'activate', webhook);
      if (state === 'deactivated') {
        await this.transitions.deactivate(manager, user, webhook, 'user');
      }
      return toWebhookDto(await manager.findOneByOrFail(Webhook, { id: webhookId }));
    });
  }

  /** When this returns, no new delivery begins. The deliveries are removed in the background. */
  async delete(user: DashboardUser, webhookId: string): Promise<void> {
    const deletion = async (manager: EntityManager, webhook: Webhook) => {
      await requireNoLegalHold(manager, webhook.kbId);
      await this.transitions.apply(manager, user, 'delete', webhook);
    };
    // Locking the knowledge base makes a legal hold that is being set wait.
    await this.change(user, webhookId, deletion, 'knowledge base');
    this.jobs.start(WebhookCleanup);
  }

  async rotateSecret(
    user: DashboardUser,
    webhookId: string,
    request?: IdempotentRequest,
  ): Promise<IssuedWebhookDto> {
    const webhook = await this.change(user, webhookId, async (manager, current) => {
      const { answer } = await this.idempotency.once(manager, user.id, request, async () => {
        const now = await databaseNow(manager);
        // An unreadable secret signs nothing, so there is none to keep.
        const previous = this.secrets.open(current)?.secret;
        const secretIssuedAt = new Date();
        await this.transitions.apply(manager, user, 'rotateSecret', current, {
          columns: {
            secret: this.secrets.seal(webhookId, this.secrets.generate()),
            previousSecret: previous === undefined ? null : this.secrets.seal(webhookId, previous),
            previousSecretUntil:
              previous === undefined ? null : new Date(now.getTime() + SECRET_OVERLAP_MS),
            pepperId: this.secrets.pepperId,
            secretIssuedAt,
          },
        });
        return { id: webhookId, secretIssuedAt: secretIssuedAt.toISOString() };
      });
      return findIssued(manager, answer);
    });
    return this.toIssued(webhook);
  }

  /**
   * Finds a webhook that the user may see.
   *
   * @throws Problem `not_found`
   */
  async find(user: DashboardUser, webhookId: string): Promise<Webhook> {
    const webhook = await this.webhooks.findOneBy({ id: webhookId, state: NOT_DELETED });
    if (!webhook) throw new Problem('not_found');
    await this.access.requireMember(user, webhook.kbId);
    return webhook;
  }

  /** Runs `work` in a transaction, with the webhook locked. */
  async change<T>(
    user: DashboardUser,
    webhookId: string,
    work: (manager: EntityManager, webhook: Webhook) => Promise<T>,
    lock: ChangeOptions['lock'] = 'membership',
  ): Promise<T> {
    const { kbId } = await this.find(user, webhookId);
    const options = { role: 'member', lock } as const;
    return this.access.change(user, kbId, options, async (manager) => {
      const webhook = (await lockWebhooks(manager, [webhookId])).get(webhookId);
      if (!webhook || webhook.state === 'deleted') throw new Problem('not_found');
      return work(manager, webhook);
    });
  }

  /** @throws Problem `validation_failed` unless events may be sent to the URL */
  private async requireReceiver(url: string): Promise<void> {
    const allowPrivate = this.config.WEBHOOK_ALLOW_PRIVATE === 'yes';
    const message = findUrlProblem(url, allowPrivate);
    if (message !== undefined) throw invalidField('url', message);
    if (allowPrivate) return;
    const isPublic = await Promise.race([
      leadsToPublicAddress(url),
      setTimeout(LOOKUP_TIMEOUT_MS, true, { ref: false }),
    ]);
    if (!isPublic) throw invalidField('url', 'url must lead to a public address');
  }

  private toIssued(webhook: Webhook): IssuedWebhookDto {
    const secret = this.secrets.open(webhook)?.secret;
    // This happens only if a request is repeated after its pepper was removed.
    if (secret === undefined) throw new Problem('idempotency_conflict');
    return { ...toWebhookDto(webhook), secret };
  }
}

/**
 * Finds the webhook whose secret was issued by this request or, if it is repeated, by the first one.
 *
 * @throws Problem `idempotency_conflict` when the secret has been rotated since, or the webhook deleted
 */
async function findIssued(
  manager: EntityManager,
  { id, secretIssuedAt }: { id: string; secretIssuedAt: string },
): Promise<Webhook> {
  const webhook = await manager.findOneBy(Webhook, { id, state: NOT_DELETED });
  if (webhook?.secretIssuedAt.toISOString() !== secretIssuedAt) {
    throw new Problem('idempotency_conflict');
  }
  return webhook;
}
