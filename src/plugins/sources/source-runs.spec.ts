import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryDatabase } from '../../../test/support/memory-database.js';
import { RecordedEvents } from '../../../test/support/recorded-events.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import type { Lease } from '../../knowledge-bases/job-queue.js';
import { QueuedJob } from '../../knowledge-bases/queued-job.entity.js';
import type { EngineDataSource } from '../../platform/database/engine-data-source.js';
import { SqliteUnitOfWork } from '../../platform/database/sqlite-unit-of-work.js';
import { SourceRunQueue } from './source-run-queue.js';
import { SourceRun } from './source-run.entity.js';
import { SourceRuns } from './source-runs.js';
import { Source } from './source.entity.js';

const NOW = new Date('2027-03-01T12:00:00Z');
const CONFIG = { path: '/documents', access: { hr: { allow: ['group:hr'] } } };
const FOUND = { hr: 'asked' } as const;

describe(SourceRuns, () => {
  let dataSource: EngineDataSource;
  let unitOfWork: SqliteUnitOfWork;
  let queue: SourceRunQueue;
  let runs: SourceRuns;

  beforeEach(async () => {
    dataSource = memoryDatabase(Source, SourceRun);
    unitOfWork = new SqliteUnitOfWork(dataSource);
    await unitOfWork.onModuleInit();
    queue = new SourceRunQueue(dataSource, unitOfWork);
    runs = new SourceRuns(unitOfWork, queue, new RecordedEvents());
    const [kb, source] = [new KnowledgeBase(), new Source()];
    const times = { createdAt: NOW, updatedAt: NOW };
    Object.assign(kb, { id: 'kb', name: 'Handbook', state: 'active', ...times });
    Object.assign(source, {
      ...{ id: 'src', kbId: 'kb', userId: 'alice', createdBy: 'alice', ...times },
      ...{ type: 'folder', name: 'Docs', config: CONFIG, onDelete: 'delete', state: 'active' },
    });
    await dataSource.manager.insert(KnowledgeBase, kb);
    await dataSource.manager.insert(Source, source);
    await unitOfWork.run((manager) => runs.queueRun(manager, source, {}));
  });

  afterEach(() => unitOfWork.onApplicationShutdown());

  /** As another process would, once the lease of the one before has expired. */
  async function lease(): Promise<Lease<SourceRun>> {
    await dataSource.manager.update(QueuedJob, { queue: 'source_runs' }, { dueAt: NOW });
    const [task] = await queue.lease(1);
    if (!task) throw new Error('There is no run to lease');
    return task[0];
  }
  const settled = async () => {
    const { accessPaths } = await dataSource.manager.findOneByOrFail(Source, { id: 'src' });
    return accessPaths;
  };

  it('keeps what a run has found out about paths while it holds its lease, and nothing afterwards', async () => {
    const lost = await lease();
    const held = await lease();
    await runs.settlePaths(lost, CONFIG, FOUND);
    expect(await settled()).toBeNull();
    await runs.settlePaths(held, CONFIG, FOUND);
    expect(await settled()).toEqual(FOUND);
    await runs.settlePaths(lost, CONFIG, {});
    expect(await settled()).toEqual(FOUND);
  });

  it('keeps nothing of a run that somebody has ended, or that knows another configuration', async () => {
    const held = await lease();
    await runs.settlePaths(held, { ...CONFIG, access: {} }, FOUND);
    expect(await settled()).toBeNull();
    await unitOfWork.run((manager) => runs.cancel(manager, 'src'));
    await runs.settlePaths(held, CONFIG, FOUND);
    expect(await settled()).toBeNull();
  });
});
