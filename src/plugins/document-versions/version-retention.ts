import { Injectable, Logger } from '@nestjs/common';
import { type EntityManager, In, LessThanOrEqual } from 'typeorm';
import { deleteVersions } from '../../documents/delete-versions.js';
import { Document, IS_VERSION } from '../../documents/document.entity.js';
import { PassagePurge } from '../../documents/passage-purge.js';
import { lockForErasure, UNDER_LEGAL_HOLD } from '../../knowledge-bases/settings/legal-hold.js';
import type { Settings } from '../../knowledge-bases/settings/settings.js';
import { SettingsService } from '../../knowledge-bases/settings/settings.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Job, type JobRound } from '../../platform/jobs/job.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { HOUR_MS } from '../../platform/jobs/retention.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { BATCH, deleteOldest } from './delete-oldest.js';

const INTERVAL_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;

type Limits = Pick<Settings, 'versionRetentionDays' | 'versionLimit'>;

/** Deletes versions that are older, or more, than the settings of their knowledge bases say. */
@Injectable()
export class VersionRetention {
  private readonly logger = new Logger(VersionRetention.name);

  constructor(
    private readonly settings: SettingsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly metrics: Metrics,
  ) {}

  @Job({ every: INTERVAL_MS, singleton: 'version-retention' })
  async deleteExpired({ now, mayContinue }: JobRound): Promise<void> {
    const startedAt = await now();
    const settings = await this.settings.loadEach(await this.findKnowledgeBases());
    for (const [kbId, limits] of settings) {
      try {
        await this.deleteIn(kbId, limits, startedAt, mayContinue);
      } catch (error) {
        // A hold that has begun meanwhile, or an outage: the next round tries again.
        this.logger.error(error);
      }
    }
  }

  private findKnowledgeBases(): Promise<string[]> {
    return this.unitOfWork.run(async (manager) => {
      const rows = await manager.query<{ id: string }[]>(
        `SELECT DISTINCT kb_id AS id FROM documents
         WHERE ${IS_VERSION} AND state = 'kept' AND kb_id NOT IN (${UNDER_LEGAL_HOLD})`,
      );
      return rows.map(({ id }) => id);
    });
  }

  private async deleteIn(
    kbId: string,
    { versionRetentionDays, versionLimit }: Limits,
    now: Date,
    mayContinue: () => Promise<boolean>,
  ): Promise<void> {
    const before = new Date(now.getTime() - versionRetentionDays * DAY_MS);
    const removeNext = async (manager: EntityManager) => {
      await lockForErasure(manager, kbId);
      const expired = await deleteReplacedBefore(manager, kbId, before);
      return expired > 0 ? expired : deleteBeyond(manager, kbId, versionLimit);
    };
    let deleted = 0;
    while (await mayContinue()) {
      const some = await this.unitOfWork.run(removeNext);
      deleted += some;
      if (some === 0) break;
    }
    if (deleted === 0) return;
    this.metrics.removed.inc({ name: VersionRetention.name }, deleted);
    this.jobs.start(PassagePurge);
  }
}

async function deleteReplacedBefore(
  manager: EntityManager,
  kbId: string,
  before: Date,
): Promise<number> {
  const expired = await manager
    .createQueryBuilder(Document, 'document')
    .select('document.id')
    .where({ kbId, state: 'kept', replacedAt: LessThanOrEqual(before) })
    .andWhere('document.versionOf IS NOT NULL')
    .take(BATCH)
    .getMany();
  if (expired.length === 0) return 0;
  return deleteVersions(manager, { id: In(expired.map(({ id }) => id)) });
}

/** Deletes from the first document that has more versions than the limit. */
async function deleteBeyond(manager: EntityManager, kbId: string, limit: number): Promise<number> {
  const document = await manager
    .createQueryBuilder(Document, 'document')
    .select('document.versionOf', 'id')
    .where({ kbId, state: 'kept' })
    .groupBy('document.versionOf')
    .having('COUNT(*) > :limit', { limit })
    .limit(1)
    .getRawOne<{ id: string }>();
  return document ? deleteOldest(manager, document.id, limit) : 0;
}
