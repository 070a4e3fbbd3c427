import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Repository } from 'typeorm';
import { ApiKey } from '../../api-keys/api-key.entity.js';
import { Budgets } from '../../api-keys/budgets.js';
import {
  changeKeyWithoutSecret,
  countMessagesOfToday,
  insertKeyWithoutSecret,
} from '../../api-keys/key-without-secret.js';
import { type ResourceResolver, ResolvesResource } from '../../knowledge-bases/access.js';
import { changedFields } from '../../knowledge-bases/audit/changed-fields.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { Events, shownId } from '../../knowledge-bases/events/events.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import { SettingsService } from '../../knowledge-bases/settings/settings.service.js';
import { Config } from '../../platform/config/config.js';
import type { Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { paginate } from '../../platform/http/paginate.js';
import { newId } from '../../platform/http/type-id.js';
import { Idempotency, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { invalidField, Problem, quotaReached } from '../../platform/problems/problem.js';
import type { CreateSiteDto, UpdateSiteDto } from './site-requests.dto.js';
import { type SiteDto, toSiteDto } from './site.dto.js';
import { Site } from './site.entity.js';

const CHANGE = { role: 'member', lock: 'knowledge base' } as const;
const DEFAULTS = { dailyMessages: 500, perVisitor: 10, perAddress: 200, proofOfWork: 16 };

/** Creates, changes and lists sites. Each has a key of its own, which nobody has the secret of. */
@Injectable()
@ResolvesResource({ resource: 'site', prefix: 'site', withoutDocuments: true })
export class SitesService implements ResourceResolver {
  constructor(
    @InjectRepository(Site) private readonly sites: Repository<Site>,
    private readonly access: KnowledgeBaseAccess,
    private readonly budgets: Budgets,
    private readonly settings: SettingsService,
    private readonly idempotency: Idempotency,
    private readonly events: Events,
    private readonly config: Config,
  ) {}

  async findKbId(id: string): Promise<string | undefined> {
    return (await this.findSite(this.sites.manager, id))?.apiKey.ownerId;
  }

  async create(
    user: DashboardUser,
    kbId: string,
    dto: CreateSiteDto,
    request?: IdempotentRequest,
  ): Promise<SiteDto> {
    await this.requireOrigins(kbId, dto.origins);
    const { answer } = await this.access.change(user, kbId, CHANGE, (manager) =>
      this.idempotency.once(manager, user.id, request, () => this.insert(manager, user, kbId, dto)),
    );
    return answer;
  }

  async list(user: DashboardUser, kbId: string, query: PageQueryDto): Promise<Page<SiteDto>> {
    await this.access.requireMember(user, kbId);
    const rows = this.sites
      .createQueryBuilder('site')
      .innerJoinAndSelect('site.apiKey', 'key', 'key.ownerId = :kbId', { kbId });
    const { data, ...page } = await paginate(rows, query, (site) => site);
    return {
      data: await Promise.all(data.map((site) => this.toDto(this.sites.manager, site))),
      ...page,
    };
  }

  async get(user: DashboardUser, id: string): Promise<SiteDto> {
    const site = await this.find(id);
    await this.access.requireMember(user, site.apiKey.ownerId);
    return this.toDto(this.sites.manager, site);
  }

  async update(user: DashboardUser, id: string, dto: UpdateSiteDto): Promise<SiteDto> {
    const fields = changedFields(dto);
    if (fields.length === 0) return this.get(user, id);
    const { ownerId: kbId, id: keyId } = (await this.find(id)).apiKey;
    if (dto.origins) await this.requireOrigins(kbId, dto.origins);
    return this.access.change(user, kbId, CHANGE, async (manager) => {
      const columns = {
        name: dto.name,
        origins: dto.origins,
        greeting: dto.greeting,
        suggestions: dto.suggestions,
        theme: dto.theme && { ...dto.theme },
        contactUrl: dto.contact_url,
        proofOfWork: dto.proof_of_work,
        perAddressPerDay: dto.per_address_per_day,
        state: dto.state,
        updatedAt: new Date(),
      };
      const { affected } = await manager.update(Site, { id }, columns);
      // It may have been deleted meanwhile.
      if (affected !== 1 || !(await this.findSite(manager, id))) throw new Problem('not_found');
      await changeKeyWithoutSecret(manager, this.budgets, keyId, {
        name: dto.name,
        messagesPerDay: dto.daily_messages,
        perEndUserAndMinute: dto.per_visitor_per_minute,
      });
      const event = { kbId, action: 'site.updated', targetId: id, details: { fields } } as const;
      await this.events.recordChange(manager, user, event);
      const changed = await this.findSite(manager, id);
      if (!changed) throw new Problem('not_found');
      return this.toDto(manager, changed);
    });
  }

  /** Deletes a site: once this returns, every later request of one of its visitors is refused. */
  async delete(user: DashboardUser, id: string): Promise<void> {
    const { apiKey, name } = await this.find(id);
    const kbId = apiKey.ownerId;
    await this.access.change(user, kbId, CHANGE, async (manager) => {
      const living = { id: apiKey.id, deletedAt: IsNull() };
      const { affected } = await manager.update(ApiKey, living, { deletedAt: new Date() });
      if (affected !== 1) throw new Problem('not_found');
      const event = { kbId, action: 'site.deleted', targetId: id, details: { name } } as const;
      await this.events.recordChange(manager, user, event);
    });
  }

  /** @throws Problem `not_found` */
  async find(id: string): Promise<Site> {
    const site = await this.findSite(this.sites.manager, id);
    if (!site) throw new Problem('not_found');
    return site;
  }

  private async insert(
    manager: EntityManager,
    user: DashboardUser,
    kbId: string,
    dto: CreateSiteDto,
  ): Promise<SiteDto> {
    const now = new Date();
    const [id, createdBy] = [newId('site'), shownId(user)];
    const apiKeyId = await insertKeyWithoutSecret(
      manager,
      { id, kbId, name: dto.name, createdBy },
      {
        messagesPerDay: dto.daily_messages ?? DEFAULTS.dailyMessages,
        perEndUserAndMinute: dto.per_visitor_per_minute ?? DEFAULTS.perVisitor,
      },
    );
    const site = {
      ...{ id, apiKeyId },
      name: dto.name,
      origins: dto.origins,
      greeting: dto.greeting ?? null,
      suggestions: dto.suggestions ?? [],
      theme: { ...dto.theme },
      contactUrl: dto.contact_url ?? null,
      proofOfWork: dto.proof_of_work ?? DEFAULTS.proofOfWork,
      perAddressPerDay:
        dto.per_address_per_day === undefined ? DEFAULTS.perAddress : dto.per_address_per_day,
      ...{ state: 'active' as const, createdBy, createdAt: now, updatedAt: now },
    };
    await manager.insert(Site, site);
    const count = await manager.countBy(Site, { apiKey: { ownerId: kbId, deletedAt: IsNull() } });
    const { MAX_API_KEYS_PER_KNOWLEDGE_BASE: limit } = this.config;
    if (count > limit) throw quotaReached('MAX_API_KEYS_PER_KNOWLEDGE_BASE', limit);
    const { name, origins } = site;
    const details = { name, origins };
    const event = { kbId, action: 'site.created', targetId: id, details } as const;
    await this.events.recordChange(manager, user, event);
    const created = await this.findSite(manager, id);
    if (!created) throw new Problem('not_found');
    return this.toDto(manager, created);
  }

  /** @throws Problem `validation_failed` for a page that the settings of the knowledge base exclude */
  private async requireOrigins(kbId: string, origins: readonly string[]): Promise<void> {
    const { allowedOrigins } = await this.settings.load(kbId);
    const excluded = origins.find((origin) => allowedOrigins?.includes(origin) === false);
    if (excluded === undefined) return;
    throw invalidField(
      'origins',
      `origins must be among the allowed_origins of the knowledge base, unlike ${excluded}`,
    );
  }

  private async toDto(manager: EntityManager, site: Site): Promise<SiteDto> {
    return toSiteDto(site, await countMessagesOfToday(manager, this.budgets, site.apiKey));
  }

  /** Finds a site that is not deleted. */
  private findSite(manager: EntityManager, id: string): Promise<Site | null> {
    return manager
      .createQueryBuilder(Site, 'site')
      .innerJoinAndSelect('site.apiKey', 'key')
      .where({ id })
      .getOne();
  }
}
