import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, MoreThan, Not, Repository } from 'typeorm';
import { databaseNow } from '../../platform/database/database-now.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { BackgroundJob } from '../../platform/jobs/background-job.js';
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
export class ContentPurge extends BackgroundJob {
  constructor(
    @InjectRepository(StoredContent) private readonly contents: Repository<StoredContent>,
    private readonly unitOfWork: UnitOfWork,
    private readonly stores: ContentStores,
  ) {
    super(INTERVAL_MS);
  }

  protected override async run(): Promise<void> {
    await this.endAbandonedUploads();
    for (let last = ''; !this.signal.aborted;) {
      const batch = await this.contents.find({
        where: { documentId: IsNull(), state: 'stored', key: MoreThan(last) },
        order: { key: 'ASC' },
        take: BATCH,
      });
      for (const content of batch) {
        last = content.key;
        await this.remove(content);
      }
      if (batch.length < BATCH) return;
    }
  }

  /** Marks abandoned uploads for removal. A transaction that tries to attach one afterwards fails. */
  private async endAbandonedUploads(): Promise<void> {
    const createdAt = LessThan(
      new Date((await databaseNow(this.contents.manager)).getTime() - MAX_UPLOAD_MS),
    );
    const abandoned = { documentId: IsNull(), state: Not('stored' as const), createdAt };
    if (!(await this.contents.existsBy(abandoned))) return;
    await this.unitOfWork.run((manager) =>
      manager.update(StoredContent, abandoned, { state: 'stored' }),
    );
  }

  /** Logs a failure, so that the other contents are still removed. */
  private async remove({ key, store: location }: StoredContent): Promise<void> {
    if (this.signal.aborted) return;
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
