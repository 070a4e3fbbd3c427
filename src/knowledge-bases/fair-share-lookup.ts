import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { KnowledgeBase } from './knowledge-base.entity.js';

/** Older entries are removed, and read again when they are needed. */
const MAX_REMEMBERED = 20_000;

/** A knowledge base, and the user whose share its work counts towards. */
export interface FairShare {
  readonly userId: string;
  readonly kbId: string;
}

/**
 * Finds the user whose share the work of a knowledge base counts towards: its creator, as for quotas. That
 * never changes, so it can be cached, and nobody can make their knowledge bases count towards somebody else
 * by making them an owner.
 */
@Injectable()
export class FairShareLookup {
  private readonly fairShares = new Map<string, FairShare>();

  constructor(
    @InjectRepository(KnowledgeBase)
    private readonly knowledgeBases: Pick<Repository<KnowledgeBase>, 'findOne'>,
  ) {}

  async findFairShare(kbId: string): Promise<FairShare> {
    return this.fairShares.get(kbId) ?? this.read(kbId);
  }

  async findKnowledgeBaseName(kbId: string): Promise<string> {
    const select = { id: true, name: true } as const;
    return (await this.knowledgeBases.findOne({ select, where: { id: kbId } }))?.name ?? '';
  }

  /** Caches what another query has read anyway, such as that of an API key. */
  remember(kbId: string, createdBy: string | null): FairShare {
    const known = this.fairShares.get(kbId);
    if (known) return known;
    const [oldest] = this.fairShares.keys();
    if (oldest !== undefined && this.fairShares.size >= MAX_REMEMBERED)
      this.fairShares.delete(oldest);
    const fairShare = toFairShare(kbId, createdBy);
    this.fairShares.set(kbId, fairShare);
    return fairShare;
  }

  private async read(kbId: string): Promise<FairShare> {
    const found = await this.knowledgeBases.findOne({
      select: { id: true, createdBy: true },
      where: { id: kbId },
    });
    return found ? this.remember(kbId, found.createdBy) : toFairShare(kbId, null);
  }
}

/** @param createdBy null for those of the first versions, which count for themselves */
export const toFairShare = (kbId: string, createdBy: string | null): FairShare => ({
  kbId,
  userId: createdBy ?? kbId,
});
