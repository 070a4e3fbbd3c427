import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, MoreThan, Not, Repository } from 'typeorm';
import { databaseNow } from '../../database/database-now.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { BackgroundJob } from '../../jobs/background-job.js';
import { ContentStores } from './content-stores.js';
import { StoredContent } from './stored-content.entity.js';

/** How soon a removal that failed is repeated. */
const INTERVAL_MS = 60_000;
/** Longer than any upload: an older one has ended with its process. */
const MAX_UPLOAD_MS = 60 * 60 * 1000;
const BATCH = 100;

/**
 * Removes contents outside the database that no document has any more: replaced, deleted with their
 * document or knowledge base, or left by an upload that did not end. Processes may remove the same at
 * once: each step can be repeated.
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

  /** Afterwards their transactions could not use them any more. */
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

  /** A failure is logged, and others go on. */
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
