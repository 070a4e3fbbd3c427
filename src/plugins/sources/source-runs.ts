import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import type { SettledPaths } from '@latchkey/sources/access-paths';
import { Events } from '../../knowledge-bases/events/events.js';
import { databaseNow } from '../../platform/database/database-now.js';
import { lockRows } from '../../platform/database/dialect.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { newId } from '../../platform/http/type-id.js';
import type { Lease } from '../../knowledge-bases/job-queue.js';
import { SourceRunQueue } from './source-run-queue.js';
import { type RunCounts, type RunError, SourceRun } from './source-run.entity.js';
import { Source, type SourceState } from './source.entity.js';

export const NO_COUNTS: RunCounts = { added: 0, changed: 0, deleted: 0, unchanged: 0, failed: 0 };

interface NewRun {
  readonly sourceId: string;
  readonly kbId: string;
  readonly preview?: boolean;
  readonly confirm?: boolean;
  readonly byClient?: boolean;
}

export interface EndedRun {
  readonly status: 'complete' | 'failed' | 'cancelled' | 'needs_confirmation';
  readonly counts: RunCounts;
  readonly errors: RunError[];
}

/** Begins and ends runs; no other class does. */
@Injectable()
export class SourceRuns {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly queue: SourceRunQueue,
    private readonly events: Events,
  ) {}

  /** Queues a run unless one is unfinished. @returns the unfinished run */
  async queueRun(
    manager: EntityManager,
    { id: sourceId, kbId }: Source,
    options: { readonly preview?: boolean; readonly confirm?: boolean },
  ): Promise<SourceRun> {
    const id = await this.insertRun(manager, { sourceId, kbId, ...options });
    await this.queue.add(manager, id);
    return manager.findOneByOrFail(SourceRun, { sourceId, endedAt: IsNull() });
  }

  /** Begins a run that a client carries out, unless one is unfinished. @returns the unfinished run */
  async beginByClient(
    manager: EntityManager,
    { id: sourceId, kbId }: Source,
    { confirm }: { readonly confirm: boolean },
  ): Promise<SourceRun> {
    await this.insertRun(manager, { sourceId, kbId, confirm, byClient: true });
    return manager.findOneByOrFail(SourceRun, { sourceId, endedAt: IsNull() });
  }

  private async insertRun(
    manager: EntityManager,
    { sourceId, kbId, ...options }: NewRun,
  ): Promise<string> {
    const createdAt = await databaseNow(manager);
    const id = newId('run');
    await manager
      .createQueryBuilder()
      .insert()
      .into(SourceRun)
      .values({
        ...{ id, sourceId, kbId, status: 'running' },
        ...{ isPreview: options.preview ?? false, isConfirmed: options.confirm ?? false },
        ...{ counts: NO_COUNTS, errors: [], createdAt, endedAt: null },
        activeAt: options.byClient ? createdAt : null,
      })
      .orIgnore()
      .updateEntity(false)
      .execute();
    return id;
  }

  /** Stores what a run found out about the paths of the access map, for the next run. */
  async settlePaths(
    lease: Lease<SourceRun>,
    config: object,
    accessPaths: SettledPaths,
  ): Promise<void> {
    const { sourceId } = lease.row;
    await this.unitOfWork.run(async (manager) => {
      const rows = manager.createQueryBuilder(Source, 'source').where({ id: sourceId });
      const source = await lockRows(rows).getOne();
      // Another process has taken over the run, or a user has cancelled it.
      if ((await this.queue.lockHeld(manager, [lease])).size === 0) return;
      // The configuration was changed after this run had started.
      if (!source || !isDeepStrictEqual(source.config, config)) return;
      if (isDeepStrictEqual(source.accessPaths ?? {}, accessPaths)) return;
      await manager.update(Source, { id: sourceId }, { accessPaths });
    });
  }

  /** Records the end of a leased run, and the resulting state of the source. */
  async end(lease: Lease<SourceRun>, ended: EndedRun): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      // The source is locked before the run, in the order that its deletion uses.
      const source = await this.lockSource(manager, lease.row.sourceId);
      if ((await this.queue.end(manager, [lease])).size === 0) return;
      await this.recordEnd(manager, source, lease.row, ended);
    });
  }

  lockSource(manager: EntityManager, id: string): Promise<Source | null> {
    return lockRows(manager.createQueryBuilder(Source, 'source').where({ id })).getOne();
  }

  /** Records the end of a run, and the resulting state of its source, which the caller has locked. */
  async recordEnd(
    manager: EntityManager,
    source: Source | null,
    { id, isPreview }: Pick<SourceRun, 'id' | 'isPreview'>,
    { status, counts, errors }: EndedRun,
  ): Promise<void> {
    const endedAt = await databaseNow(manager);
    await manager.update(SourceRun, { id }, { status, counts, errors, isPreview, endedAt });
    if (!source || isPreview || status === 'cancelled') return;
    const state = stateAfter(source.state, status);
    await manager.update(
      Source,
      { id: source.id },
      { state, ...(status === 'complete' && { lastSyncedAt: endedAt }) },
    );
    const fields = { source_id: source.id, run_id: id, state };
    if (state === 'failing' && source.state !== 'failing') {
      const failed = { ...fields, error_code: errors.at(-1)?.code ?? null };
      await this.events.record(manager, {
        ...{ kbId: source.kbId, action: 'source.failed' },
        data: failed,
      });
    }
    if (source.state === 'failing' && state !== 'failing') {
      const recovered = { ...fields, error_code: null };
      await this.events.record(manager, {
        ...{ kbId: source.kbId, action: 'source.recovered' },
        data: recovered,
      });
    }
  }

  /** Ends the unfinished run of a source; the process that works on it notices. */
  async cancel(manager: EntityManager, sourceId: string): Promise<void> {
    await this.queue.remove(manager, 'source_id', sourceId);
    const ended = { status: 'cancelled', endedAt: await databaseNow(manager) } as const;
    await manager.update(SourceRun, { sourceId, endedAt: IsNull() }, ended);
  }
}

function stateAfter(state: SourceState, status: EndedRun['status']): SourceState {
  if (state === 'paused') return state;
  if (status === 'failed') return 'failing';
  return status === 'complete' ? 'active' : 'needs_confirmation';
}
