import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Gauge } from 'prom-client';
import { type EntityManager, Repository } from 'typeorm';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { BackgroundJob } from '../platform/jobs/background-job.js';
import { JobLock } from '../platform/jobs/job-lock.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { DocumentTransitions } from './document-transitions.js';
import { Document, HAS_BEEN_READ } from './document.entity.js';
import { READER_VERSION } from '@latchkey/extraction/reader-version';
import { IngestionService } from './ingestion.service.js';

const INTERVAL_MS = 2000;
/** Documents that are queued at a time. */
const BATCH = 50;
const LOG_INTERVAL_MS = 60_000;

/** Written without parameters, so that SQLite uses the partial index. */
const IS_OUTDATED = `${HAS_BEEN_READ} AND reader_version < ${READER_VERSION}`;

/**
 * Indexes again the documents that an earlier version of the readers has read: after an upgrade, a few
 * at a time, and while nothing else waits to be indexed. Until then their old passages are searched.
 */
@Injectable()
export class Rereading extends BackgroundJob {
  /** When the progress was last logged; undefined while this process has queued nothing. */
  private loggedAt?: number;

  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: JobLock,
    private readonly transitions: DocumentTransitions,
    private readonly ingestion: IngestionService,
    { registry }: Metrics,
  ) {
    super(INTERVAL_MS);
    const count = () => this.countOutdated();
    new Gauge({
      name: 'latchkey_rereading_documents',
      help: 'Documents that an earlier version has read, which are indexed again in the background.',
      registers: [registry],
      aggregator: 'max',
      collect: async function (this: Gauge) {
        this.set(await count());
      },
    });
  }

  protected override async run(): Promise<void> {
    if ((await this.findOutdated(this.documents.manager, 1)).length === 0) {
      if (this.loggedAt !== undefined) this.logger.log('All documents have been read again');
      this.loggedAt = undefined;
      return;
    }
    await this.jobs.run('rereading', this.signal, async () => {
      if (!(await this.unitOfWork.run((manager) => this.queueBatch(manager)))) return;
      this.ingestion.start();
      await this.logProgress();
    });
  }

  /** @returns false when other documents wait; they come first */
  private async queueBatch(manager: EntityManager): Promise<boolean> {
    if (await manager.existsBy(Document, { status: 'pending', state: 'active' })) return false;
    const ids = await this.findOutdated(manager, BATCH);
    if (ids.length > 0) await this.transitions.reread(manager, ids);
    return ids.length > 0;
  }

  private async findOutdated(manager: EntityManager, limit: number): Promise<string[]> {
    const rows = await manager.query<{ id: string }[]>(
      `SELECT id FROM documents WHERE ${IS_OUTDATED} ORDER BY reader_version LIMIT ${limit}`,
    );
    return rows.map(({ id }) => id);
  }

  private async countOutdated(): Promise<number> {
    const [row] = await this.documents.manager.query<{ count: number | string }[]>(
      `SELECT COUNT(*) AS count FROM documents WHERE ${IS_OUTDATED}`,
    );
    return Number(row?.count);
  }

  private async logProgress(): Promise<void> {
    const now = performance.now();
    if (this.loggedAt !== undefined && now - this.loggedAt < LOG_INTERVAL_MS) return;
    this.loggedAt = now;
    const left = await this.countOutdated();
    this.logger.log(`Reading documents again that an earlier version has read: ${left} left`);
  }
}
