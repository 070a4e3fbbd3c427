import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { deleteInBatches } from '../../platform/database/row-batches.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { BackgroundJob } from '../../platform/jobs/background-job.js';
import { KnowledgeBasePurge } from '../../knowledge-bases/knowledge-base-purge.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import { UsageCount } from './usage-count.entity.js';
import { UsageDocument } from './usage-document.entity.js';
import { UsageEndUser } from './usage-end-user.entity.js';
import { RECORDS_KEPT_MS, UsageRecord } from './usage-record.entity.js';

const INTERVAL_MS = 60 * 60 * 1000;
const TABLES = [UsageRecord, UsageCount, UsageEndUser, UsageDocument];

/** Removes old records, hourly, and what was counted for a deleted knowledge base, in batches. */
@Injectable()
export class UsagePurge extends BackgroundJob {
  constructor(
    @InjectRepository(KnowledgeBase) private readonly knowledgeBases: Repository<KnowledgeBase>,
    private readonly unitOfWork: UnitOfWork,
    purge: KnowledgeBasePurge,
  ) {
    super(INTERVAL_MS);
    for (const table of TABLES) purge.registerTable(table);
  }

  protected override async run(): Promise<void> {
    const before = new Date(Date.now() - RECORDS_KEPT_MS);
    for (const { id: kbId } of await this.knowledgeBases.find({ select: { id: true } })) {
      const condition = 'kb_id = :kbId AND created_at < :before';
      const isRunning = () => !this.signal.aborted;
      await deleteInBatches(this.unitOfWork, UsageRecord, condition, { kbId, before }, isRunning);
    }
  }
}
