import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { SearchIndex } from '@latchkey/ranking/search-index';
import { DataSource, type EntityManager, In } from 'typeorm';
import { type Choice, JobQueue, type Lease } from '../knowledge-bases/job-queue.js';
import type { QueuedJob } from '../knowledge-bases/queued-job.entity.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { Document } from './document.entity.js';
import { changeStatus } from './document-status.js';
import { LEASE_MS, MAX_ATTEMPTS, MAX_BACKOFF_MS } from './indexing-limits.js';
import { Extractor } from './ingestion/extractor.js';

/**
 * How a document is indexed. Small documents are indexed in a `group`, others as a `single` document. A
 * document that turns out to be slow moves to `long`, which has limited slots. One with pages to
 * recognise waits in `recognition`, behind all others.
 */
export type IndexingMode = 'group' | 'single' | 'long' | 'recognition';
const MODES: readonly IndexingMode[] = ['group', 'single', 'long'];

/** The number of documents, or groups of small ones, that one process indexes at a time. */
const CONCURRENCY = 3;
/** The number of them that may take long; the remaining slot is for short documents. */
const MAX_LONG = CONCURRENCY - 1;
/**
 * The number of additional documents whose pages are recognised at a time; their processes have a low
 * priority.
 */
const MAX_RECOGNITIONS = 1;
export const MAX_TASKS = CONCURRENCY + MAX_RECOGNITIONS;

/**
 * Limits of a group of small documents that are indexed together. Measured on SQLite with eight
 * parallel uploads: 72 documents a second at 10 ms of CPU each; one by one, 38 a second at 16 ms.
 */
const MAX_GROUP_SIZE = 32;
const MAX_GROUP_BYTES = 64 * 1024;

/** Documents of one knowledge base that are indexed together. */
export type IndexingTask = readonly Lease<Document>[];

/** The queue of documents to index. */
@Injectable()
export class IngestionQueue extends JobQueue<Document, IndexingTask> {
  /** Leases of documents that turned out to take long. */
  private readonly long = new WeakSet<Lease<Document>>();

  constructor(
    @InjectDataSource() dataSource: DataSource,
    unitOfWork: UnitOfWork,
    private readonly extractor: Extractor,
    private readonly index: SearchIndex,
  ) {
    super(dataSource, unitOfWork, Document, {
      name: 'documents',
      queueable: `s.state = 'active'`,
      kind: `'group'`,
      leaseMs: LEASE_MS,
      maxPauseMs: MAX_BACKOFF_MS,
    });
  }

  /** Leases nothing while a required process or thread cannot be started. */
  override async lease(room: number): Promise<readonly IndexingTask[]> {
    if (room <= 0 || !this.extractor.isAvailable || !this.index.canWrite) return [];
    const running = Map.groupBy(this.kept, ({ id }) => id).size;
    const recognitions = [...this.kept].filter(isRecognition).length;
    if (running - recognitions >= CONCURRENCY) return [];
    const modes = this.hasSlotForLong() ? MODES : MODES.filter((mode) => mode !== 'long');
    let leases = await this.leaseGroup(modes);
    // Recognition runs only when nothing else is waiting.
    if (leases.length === 0 && recognitions < MAX_RECOGNITIONS) {
      leases = await this.leaseGroup(['recognition']);
    }
    return leases.length > 0 ? [leases] : [];
  }

  /**
   * Takes a slot for long documents; returns false if none is free. Only a single document may take long:
   * in a group, the others would wait for it.
   */
  mayTakeLong(task: IndexingTask): boolean {
    const [lease] = task;
    if (!lease || task.length > 1) return false;
    if (isRecognition(lease) || this.isLong(lease)) return true;
    if (!this.hasSlotForLong()) return false;
    this.long.add(lease);
    return true;
  }

  /**
   * Leases one document, or several small ones of a knowledge base. A document with an earlier attempt
   * is leased alone, so that it cannot make others fail again.
   */
  private leaseGroup(kinds: readonly IndexingMode[]): Promise<IndexingTask> {
    const choose: Choice['choose'] = (jobs) => this.chooseGroup(jobs);
    return this.leaseNext({ kinds, limit: MAX_GROUP_SIZE, choose });
  }

  /** Chooses the first candidate and those others that can be indexed together with it. */
  private async chooseGroup([first, ...others]: readonly QueuedJob[]): Promise<QueuedJob[]> {
    if (!first) return [];
    const group = [first];
    if (!isGroupable(first)) return group;
    const candidates = [first, ...others.filter(isGroupable)];
    const documents = await this.dataSource.manager.find(Document, {
      select: { id: true, mimeType: true, sizeBytes: true },
      where: { id: In(candidates.map(({ subjectId }) => subjectId)) },
    });
    const sizes = new Map(documents.filter(isPlain).map(({ id, sizeBytes }) => [id, sizeBytes]));
    let bytes = sizes.get(first.subjectId) ?? Infinity;
    for (const other of candidates.slice(1)) {
      const size = sizes.get(other.subjectId);
      if (size === undefined) continue;
      bytes += size;
      if (bytes > MAX_GROUP_BYTES) break;
      group.push(other);
    }
    return group;
  }

  protected override async start(
    manager: EntityManager,
    jobs: readonly QueuedJob[],
  ): Promise<Document[]> {
    const id = In(jobs.map(({ subjectId }) => subjectId));
    const attempts = Math.min(1 + Math.max(...jobs.map((job) => job.attempts)), MAX_ATTEMPTS);
    const columns = { attempts, lastVersion: () => 'last_version + 1' };
    await changeStatus(manager, 'lease', { id }, columns);
    return manager.findBy(Document, { id, state: 'active', status: 'processing' });
  }

  private hasSlotForLong(): boolean {
    return [...this.kept].filter((lease) => this.isLong(lease)).length < MAX_LONG;
  }

  private isLong(lease: Lease<Document>): boolean {
    return lease.job.kind === 'long' || this.long.has(lease);
  }
}

export const isRecognition = ({ job }: Lease<Document>): boolean => job.kind === 'recognition';

const isGroupable = ({ kind, attempts }: QueuedJob): boolean => kind === 'group' && attempts === 0;

/**
 * Groups contain only short text and Markdown: parsers of other formats may take long even for a small
 * file.
 */
const isPlain = ({ mimeType, sizeBytes }: Document): boolean =>
  sizeBytes <= MAX_GROUP_BYTES && (mimeType === 'text/plain' || mimeType === 'text/markdown');
