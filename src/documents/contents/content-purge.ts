import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, MoreThan, Not, Repository } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Job, type JobRound } from '../../platform/jobs/job.js';
import { ContentStores } from './content-stores.js';
import { StoredContent } from './stored-content.entity.js';

/** The pause before a failed removal is retried. */
const INTERVAL_MS = 60_000;
/** No upload takes this long; an older one was left by a process that died. */
const MAX_UPLOAD_MS = 60 * 60 * 1000;
const BATCH = 100;

/**
 * Removes contents outside the database that no document refers to: replaced ones, those of deleted
 * documents and knowledge bases, and those of unfinished uploads. Every step can be repeated, so
 * several processes may remove the same content at once.
 */
@Injectable()
export class ContentPurge {
  private readonly logger = new Logger(ContentPurge.name);

  constructor(
    @InjectRepository(StoredContent) private readonly contents: Repository<StoredContent>,
    private readonly unitOfWork: UnitOfWork,
    private readonly stores: ContentStores,
  ) {}

  @Job({ every: INTERVAL_MS })
  async removeUnused({ now, mayContinue }: JobRound): Promise<void> {
    await this.endAbandonedUploads(await now());
    for (let last = ''; await mayContinue();) {
      const batch = await this.contents.find({
        where: { documentId: IsNull(), state: 'stored', key: MoreThan(last) },
        order: { key: 'ASC' },
        take: BATCH,
      });
      for (const content of batch) {
        last = content.key;
        if (await mayContinue()) await this.remove(content);
      }
      if (batch.length < BATCH) return;
    }
  }

  /** Marks abandoned uploads for removal. A transaction that tries to attach one afterwards fails. */
  private async endAbandonedUploads(now: Date): Promise<void> {
    const createdAt = LessThan(new Date(now.getTime() - MAX_UPLOAD_MS));
    const abandoned = { documentId: IsNull(), state: Not('stored' as const), createdAt };
    if (!(await this.contents.existsBy(abandoned))) return;
    await this.unitOfWork.run((manager) =>
      manager.update(StoredContent, abandoned, { state: 'stored' }),
    );
  }

  /** Logs a failure, so that the other contents are still removed. */
  private async remove({ key, store: location }: StoredContent): Promise<void> {
    try {
      const store = await this.stores.at(location);
      await store.remove(key);
      await this.unitOfWork.run((manager) =>
        manager.delete(StoredContent, { key, documentId: IsNull() }),
      );
    } catch (error) {
      this.logger.error(error);
    }
  }
}
