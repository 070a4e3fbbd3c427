import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { hash } from 'bcrypt';
import { Repository } from 'typeorm';
import { Config } from '../config/config.js';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Page } from '../http/page.dto.js';
import { paginate } from '../http/paginate.js';
import { Problem } from '../http/problem.js';
import { newId } from '../http/type-id.js';
import { KnowledgeBasesService } from '../knowledge-bases/knowledge-bases.service.js';
import {
  ApiKeyDto,
  CreateApiKeyDto,
  IssuedApiKeyDto,
  ListApiKeysDto,
  toApiKeyDto,
  UpdateApiKeyDto,
} from './api-key.dto.js';
import { ApiKey } from './api-key.entity.js';
import { Peppers } from './peppers.js';
import { generateSecret, prefixOf } from './secret.js';

/** What dashboard users do with API keys. */
@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ApiKey) private readonly apiKeys: Repository<ApiKey>,
    private readonly knowledgeBases: KnowledgeBasesService,
    private readonly unitOfWork: UnitOfWork,
    private readonly peppers: Peppers,
    private readonly config: Config,
  ) {}

  /** The only answer that ever holds the secret. */
  async create(user: DashboardUser, kbId: string, dto: CreateApiKeyDto): Promise<IssuedApiKeyDto> {
    await this.knowledgeBases.requireMember(user, kbId);
    const secret = generateSecret(dto.environment);
    const { hash: fastHash, pepperId } = this.peppers.current(secret);
    const id = newId('key');
    const secretHash = await hash(secret, this.config.apiKeyBcryptCost);
    await this.unitOfWork.run((manager) =>
      manager.insert(ApiKey, {
        id,
        kbId,
        name: dto.name,
        description: dto.description ?? null,
        environment: dto.environment,
        prefix: prefixOf(secret),
        secretHash,
        fastHash,
        pepperId,
        state: 'active',
        createdAt: new Date(),
        createdBy: user.id,
        expiresAt: toDate(dto.expires_at) ?? null,
      }),
    );
    return { ...(await this.get(user, id)), api_key: secret };
  }

  async list(user: DashboardUser, kbId: string, dto: ListApiKeysDto): Promise<Page<ApiKeyDto>> {
    await this.knowledgeBases.requireMember(user, kbId);
    const keys = this.apiKeys.createQueryBuilder('key').where({ kbId });
    if (dto.environment) keys.andWhere({ environment: dto.environment });
    const now = new Date();
    if (dto.active !== undefined) {
      const usable = `key.state = 'active' AND (key.expires_at IS NULL OR key.expires_at > :now)`;
      keys.andWhere(dto.active ? usable : `NOT (${usable})`, { now });
    }
    return paginate(keys, dto, (key) => toApiKeyDto(key, now));
  }

  async get(user: DashboardUser, keyId: string): Promise<ApiKeyDto> {
    return toApiKeyDto(await this.find(user, keyId));
  }

  async update(user: DashboardUser, keyId: string, dto: UpdateApiKeyDto): Promise<ApiKeyDto> {
    await this.find(user, keyId);
    const changes = {
      name: dto.name,
      description: dto.description,
      expiresAt: toDate(dto.expires_at),
    };
    if (Object.values(changes).some((value) => value !== undefined)) {
      await this.unitOfWork.run((manager) => manager.update(ApiKey, { id: keyId }, changes));
    }
    return this.get(user, keyId);
  }

  /** From the moment this returns no request with the key begins to succeed. Repeatable. */
  async revoke(user: DashboardUser, keyId: string): Promise<void> {
    await this.find(user, keyId);
    await this.unitOfWork.run((manager) =>
      manager.update(
        ApiKey,
        { id: keyId, state: 'active' },
        { state: 'deactivated', revokedAt: new Date(), revokedBy: user.id },
      ),
    );
  }

  async delete(user: DashboardUser, keyId: string): Promise<void> {
    await this.find(user, keyId);
    const { affected } = await this.unitOfWork.run((manager) =>
      manager.delete(ApiKey, { id: keyId }),
    );
    if (affected !== 1) throw new Problem('not_found');
  }

  private async find(user: DashboardUser, keyId: string): Promise<ApiKey> {
    const key = await this.apiKeys.findOneBy({ id: keyId });
    if (!key) throw new Problem('not_found');
    await this.knowledgeBases.requireMember(user, key.kbId);
    return key;
  }
}

/** Keeps the difference between "leave it" and "remove it". */
const toDate = (value: string | null | undefined) =>
  typeof value === 'string' ? new Date(value) : value;
