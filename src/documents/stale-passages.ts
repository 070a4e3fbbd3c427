import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Job, type JobRound } from '../platform/jobs/job.js';
import { HOUR_MS } from '../platform/jobs/retention.js';
import { Document } from './document.entity.js';
import { PassagePurge } from './passage-purge.js';

/** The number of documents per query, which takes two index lookups for each. */
const BATCH = 500;

/** Removes stale passages that a shutdown or an error has left behind. */
@Injectable()
export class StalePassages {
  private readonly logger = new Logger(StalePassages.name);

  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    private readonly purge: PassagePurge,
  ) {}

  /** Reads all documents, so only one process does it at a time. */
  @Job({ every: HOUR_MS, singleton: 'stale-passages' })
  async removeAll({ signal, mayContinue }: JobRound): Promise<void> {
    for (let last = ''; await mayContinue();) {
      const batch = await this.documents
        .createQueryBuilder('document')
        .select('document.id', 'id')
        .addSelect(
          `document.state = 'active' AND document.status IN ('ready', 'failed') AND (
             EXISTS (${passagesWhere('< COALESCE(document.version, 0)')})
             OR EXISTS (${passagesWhere('> COALESCE(document.version, 0)')}))`,
          'stale',
        )
        .where('document.id > :last', { last })
        .orderBy('document.id')
        .limit(BATCH)
        .getRawMany<{ id: string; stale: boolean | number }>();
      for (const { id, stale } of batch) {
        last = id;
        if (!stale) continue;
        // A failure must not keep the others from being removed.
        await this.purge.removeStale([id], signal).catch((error: unknown) => {
          this.logger.error(error);
        });
      }
      if (batch.length < BATCH) return;
    }
  }
}

const passagesWhere = (version: string) =>
  `SELECT 1 FROM passages WHERE passages.document_id = document.id AND passages.version ${version}`;
