import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { KnowledgeBase } from './knowledge-base.entity.js';

/** Older entries are removed, and read again when they are needed. */
const MAX_REMEMBERED = 20_000;

/** A knowledge base, and the user whose share its work counts towards. */
export interface Tenant {
  readonly userId: string;
  readonly kbId: string;
}

/**
 * Finds the user whose share the work of a knowledge base counts towards: its creator, as for quotas. That
 * never changes, so it can be cached, and nobody can make their knowledge bases count towards somebody else
 * by making them an owner.
 */
@Injectable()
export class TenantLookup {
  private readonly tenants = new Map<string, Tenant>();

  constructor(
    @InjectRepository(KnowledgeBase)
    private readonly knowledgeBases: Pick<Repository<KnowledgeBase>, 'findOne'>,
  ) {}

  async findTenant(kbId: string): Promise<Tenant> {
    return this.tenants.get(kbId) ?? this.read(kbId);
  }

  async findName(kbId: string): Promise<string> {
    const select = { id: true, name: true } as const;
    return (await this.knowledgeBases.findOne({ select, where: { id: kbId } }))?.name ?? '';
  }

  /** Caches a tenant that another query has read anyway, such as that of an API key. */
  remember(kbId: string, createdBy: string | null): Tenant {
    const known = this.tenants.get(kbId);
    if (known) return known;
    const [oldest] = this.tenants.keys();
    if (oldest !== undefined && this.tenants.size >= MAX_REMEMBERED) this.tenants.delete(oldest);
    const tenant = toTenant(kbId, createdBy);
    this.tenants.set(kbId, tenant);
    return tenant;
  }

  private async read(kbId: string): Promise<Tenant> {
    const found = await this.knowledgeBases.findOne({
      select: { id: true, createdBy: true },
      where: { id: kbId },
    });
    return found ? this.remember(kbId, found.createdBy) : toTenant(kbId, null);
  }
}

/** @param createdBy null for those of the first versions, which count for themselves */
export const toTenant = (kbId: string, createdBy: string | null): Tenant => ({
  kbId,
  userId: createdBy ?? kbId,
});
