import { Events, shownId } from '../../knowledge-bases/events/events.js';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Repository } from 'typeorm';
import { findUrlProblem } from '../../platform/http/receiver-address.js';
import { type ResourceResolver, ResolvesResource } from '../../knowledge-bases/access.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import { Config } from '../../platform/config/config.js';
import type { Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { paginate } from '../../platform/http/paginate.js';
import { newId } from '../../platform/http/type-id.js';
import { Idempotency, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { invalidField, Problem, quotaReached } from '../../platform/problems/problem.js';
import { ApiKeyGrant } from '../../api-keys/api-key-grant.entity.js';
import { ApiKey } from '../../api-keys/api-key.entity.js';
import { toOwnerColumns } from '../../api-keys/find-api-key.js';
import {
  type CreateTrustedIssuerDto,
  toTrustedIssuerDto,
  type TrustedIssuerDto,
} from './trusted-issuer.dto.js';
import { TrustedIssuer } from './trusted-issuer.entity.js';

const CHANGE = { role: 'member', lock: 'knowledge base' } as const;
const MAX_NAME = 100;

@Injectable()
@ResolvesResource({ resource: 'trust', prefix: 'trust', withoutDocuments: true })
export class TrustedIssuersService implements ResourceResolver {
  constructor(
    @InjectRepository(TrustedIssuer) private readonly issuers: Repository<TrustedIssuer>,
    private readonly access: KnowledgeBaseAccess,
    private readonly idempotency: Idempotency,
    private readonly events: Events,
    private readonly config: Config,
  ) {}

  async findKbId(id: string): Promise<string | undefined> {
    const found = await findIssuer(this.issuers.manager, id);
    return found?.apiKey.ownerId;
  }

  async create(
    user: DashboardUser,
    kbId: string,
    dto: CreateTrustedIssuerDto,
    request?: IdempotentRequest,
  ): Promise<TrustedIssuerDto> {
    this.requireIssuer(dto.issuer);
    const { answer } = await this.access.change(user, kbId, CHANGE, (manager) =>
      this.idempotency.once(manager, user.id, request, () => this.insert(manager, user, kbId, dto)),
    );
    return answer;
  }

  async list(
    user: DashboardUser,
    kbId: string,
    query: PageQueryDto,
  ): Promise<Page<TrustedIssuerDto>> {
    await this.access.requireMember(user, kbId);
    const issuers = this.issuers
      .createQueryBuilder('issuer')
      .innerJoinAndSelect('issuer.apiKey', 'key', 'key.ownerId = :kbId', { kbId })
      .innerJoinAndSelect('key.grants', 'opened')
      .leftJoinAndSelect('key.activity', 'activity');
    return paginate(issuers, query, (issuer) => toTrustedIssuerDto(issuer, issuer.apiKey));
  }

  /**
   * Deletes a trusted issuer: once this returns, every later request with one of its client tokens is
   * refused.
   */
  async delete(user: DashboardUser, id: string): Promise<void> {
    const found = await findIssuer(this.issuers.manager, id);
    if (!found) throw new Problem('not_found');
    const { apiKeyId, issuer, audience, apiKey } = found;
    const kbId = apiKey.ownerId;
    await this.access.change(user, kbId, CHANGE, async (manager) => {
      const living = { id: apiKeyId, deletedAt: IsNull() };
      const { affected } = await manager.update(ApiKey, living, { deletedAt: new Date() });
      if (affected !== 1) throw new Problem('not_found');
      const details = { issuer, audience };
      const event = { kbId, action: 'trusted_issuer.deleted', targetId: id, details } as const;
      await this.events.recordChange(manager, user, event);
    });
  }

  private requireIssuer(issuer: string): void {
    const problem = findUrlProblem(issuer, this.config.TRUSTED_ISSUER_ALLOW_PRIVATE === 'yes');
    if (problem !== undefined) throw invalidField('issuer', problem.replace(/^url/, 'issuer'));
    const { search, hash } = new URL(issuer);
    if (search !== '' || hash !== '') {
      throw invalidField('issuer', 'issuer must have neither a query nor a fragment');
    }
  }

  private async insert(
    manager: EntityManager,
    user: DashboardUser,
    kbId: string,
    dto: CreateTrustedIssuerDto,
  ): Promise<TrustedIssuerDto> {
    const { issuer, audience, subject = null, claims = null, scopes, filter = null } = dto;
    const trust = { id: newId('trust'), issuer, audience, subject, claims };
    const apiKeyId = newId('key');
    const key = {
      ...{ id: apiKeyId, ...toOwnerColumns(kbId), rotationRoot: apiKeyId },
      ...{ name: issuer.slice(0, MAX_NAME), environment: 'live' as const },
      // No secret can have these values, so no request can use this key.
      ...{ prefix: trust.id, fastHash: trust.id, secretHash: '', pepperId: '' },
      ...{ state: 'active' as const, createdAt: new Date(), createdBy: shownId(user) },
    };
    const grant = { keyId: apiKeyId, position: 0, kbId, scopes, filter };
    await manager.insert(ApiKey, key);
    // The insertion needs a copy, because on PostgreSQL it writes text into the object's columns.
    await manager.insert(ApiKeyGrant, { ...grant });
    await manager.insert(TrustedIssuer, { ...trust, apiKeyId });
    const count = await manager.countBy(TrustedIssuer, {
      apiKey: { ownerId: kbId, deletedAt: IsNull() },
    });
    const { MAX_API_KEYS_PER_KNOWLEDGE_BASE: limit } = this.config;
    if (count > limit) throw quotaReached('MAX_API_KEYS_PER_KNOWLEDGE_BASE', limit);
    const details = { issuer, audience, subject, claims, scopes };
    const event = { kbId, action: 'trusted_issuer.created', targetId: trust.id, details } as const;
    await this.events.recordChange(manager, user, event);
    return toTrustedIssuerDto(trust, { ...key, grants: [grant] });
  }
}

/** Finds a trusted issuer that is not deleted. */
const findIssuer = (manager: EntityManager, id: string): Promise<TrustedIssuer | null> =>
  manager
    .createQueryBuilder(TrustedIssuer, 'issuer')
    .innerJoinAndSelect('issuer.apiKey', 'key')
    .where({ id })
    .getOne();
