import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { deleteSome } from '../database/row-batches.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { KnowledgeBasePurge } from '../knowledge-bases/knowledge-base-purge.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import { RECORDS_KEPT_MS } from './records-kept.js';
import { UsageCount } from './usage-count.entity.js';
import { UsageDocument } from './usage-document.entity.js';
import { UsageEndUser } from './usage-end-user.entity.js';
import { UsageLatency } from './usage-latency.entity.js';
import { UsageRecord } from './usage-record.entity.js';

const INTERVAL_MS = 60 * 60 * 1000;
const BATCH = 1000;
const TABLES = [UsageRecord, UsageCount, UsageLatency, UsageEndUser, UsageDocument];

/** Removes old records, hourly, and what was counted for a deleted knowledge base, in batches. */
@Injectable()
export class UsagePurge implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(UsagePurge.name);
  private timer?: NodeJS.Timeout;
  private stopping = false;

  constructor(
    @InjectRepository(KnowledgeBase) private readonly knowledgeBases: Repository<KnowledgeBase>,
    private readonly unitOfWork: UnitOfWork,
    purge: KnowledgeBasePurge,
  ) {
    purge.register((kbId, stopping) => this.removeKnowledgeBase(kbId, stopping));
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.removeOld().catch((error: unknown) => {
        this.logger.error(error);
      });
    }, INTERVAL_MS);
  }

  onModuleDestroy(): void {
    this.stopping = true;
    clearInterval(this.timer);
  }

  private async removeOld(): Promise<void> {
    const before = new Date(Date.now() - RECORDS_KEPT_MS);
    const stopping = () => this.stopping;
    for (const { id: kbId } of await this.knowledgeBases.find({ select: { id: true } })) {
      const condition = 'kb_id = :kbId AND created_at < :before';
      await this.removeAll(UsageRecord, condition, { kbId, before }, stopping);
    }
  }

  private async removeKnowledgeBase(kbId: string, stopping: () => boolean): Promise<void> {
    for (const table of TABLES) {
      await this.removeAll(table, 'kb_id = :kbId', { kbId }, stopping);
    }
  }

  private async removeAll(
    table: (typeof TABLES)[number],
    condition: string,
    parameters: { kbId: string; before?: Date },
    stopping: () => boolean,
  ): Promise<void> {
    let removed = BATCH;
    while (removed === BATCH && !stopping()) {
      removed = await this.unitOfWork.run((manager) =>
        deleteSome(manager, table, condition, parameters, BATCH),
      );
    }
  }
}
