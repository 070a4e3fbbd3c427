import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, LessThan, Repository } from 'typeorm';
import { databaseNow } from '../../platform/database/database-now.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Job, type JobRound } from '../../platform/jobs/job.js';
import { type RunCounts, type RunError, SourceRun } from '../sources/source-run.entity.js';
import { type EndedRun, NO_COUNTS, SourceRuns } from '../sources/source-runs.js';
import type { Source } from '../sources/source.entity.js';

const INTERVAL_MS = 60_000;
/** A run is over when its client has sent nothing for so long. */
const IDLE_MS = 15 * 60_000;
/** A confirmation waits for the next run of the client. */
const CONFIRMED_MS = 24 * 60 * 60_000;
const MAX_ERRORS = 100;
const PROGRESS = ['added', 'changed', 'deleted', 'unchanged', 'failed'] as const;

type Planned = Omit<NonNullable<RunCounts['planned']>, 'left'>;

/** The result of a comparison. */
export interface PlannedRun {
  readonly planned: Planned;
  readonly unchanged: number;
  readonly listed: number;
  readonly failed: number;
  /** Documents that would be deleted if a user confirmed it. */
  readonly held: number;
  readonly errors: readonly RunError[];
}

/** What a client has done since. */
export type Progress = Partial<Pick<RunCounts, (typeof PROGRESS)[number]>>;

/**
 * The runs of oikb. It says when it begins, by asking what differs, and never that it has ended: a run is
 * over when all that was announced has come, when the next one begins, or when nothing comes any more.
 */
@Injectable()
export class OikbRuns {
  constructor(
    @InjectRepository(SourceRun) private readonly stored: Repository<SourceRun>,
    private readonly runs: SourceRuns,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Whether a user lets the next run delete any number of documents. */
  async isConfirmed(sourceId: string): Promise<boolean> {
    const run = await findUnfinished(this.stored.manager, sourceId);
    return run !== null && run.isConfirmed && isUntouched(run);
  }

  /** The id of the newest run of a source. */
  async findNewest(sourceId: string): Promise<string | undefined> {
    const run = await this.stored.findOne({
      ...{ select: { id: true }, where: { sourceId }, order: { id: 'DESC' } },
    });
    return run?.id;
  }

  /**
   * Begins a run, in the caller's transaction, which has locked the source.
   *
   * @returns its id
   */
  async begin(manager: EntityManager, source: Source, plan: PlannedRun): Promise<string> {
    const before = await findUnfinished(manager, source.id);
    if (before?.counts.planned) {
      await this.runs.recordEnd(manager, source, before, toEarlyEnd(before, 'cancelled'));
      // A dry run leaves the confirmation to the run that follows.
      const confirm = before.isConfirmed && isUntouched(before);
      await this.runs.beginByClient(manager, source, { confirm });
    }
    const run = await this.runs.beginByClient(manager, source, { confirm: false });
    const { planned, unchanged, listed, failed, held } = plan;
    const left = planned.added + planned.changed + planned.deleted;
    run.counts = {
      ...NO_COUNTS,
      unchanged,
      listed,
      failed,
      deleted: held,
      planned: { ...planned, left },
    };
    run.errors = plan.errors.slice(0, MAX_ERRORS);
    await this.store(manager, source, run);
    return run.id;
  }

  /** Adds to the unfinished run of a source, if there is one. */
  async count(sourceId: string, progress: Progress, error?: RunError): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      const source = await this.runs.lockSource(manager, sourceId);
      if (!source) return;
      const run = await findUnfinished(manager, sourceId);
      if (!run?.counts.planned) return;
      for (const name of PROGRESS) {
        run.counts[name] += progress[name] ?? 0;
        run.counts.planned.left -= progress[name] ?? 0;
      }
      if (error && run.errors.length < MAX_ERRORS) run.errors.push(error);
      await this.store(manager, source, run);
    });
  }

  /** Ends runs whose client has ended. */
  @Job({ every: INTERVAL_MS })
  async endIdle(round: JobRound): Promise<void> {
    const idleSince = new Date((await round.now()).getTime() - IDLE_MS);
    const idle = await this.stored.findBy({ endedAt: IsNull(), activeAt: LessThan(idleSince) });
    for (const { id, sourceId } of idle) {
      await this.unitOfWork.run(async (manager) => {
        const source = await this.runs.lockSource(manager, sourceId);
        const run = await manager.findOneBy(SourceRun, {
          ...{ id, endedAt: IsNull(), activeAt: LessThan(idleSince) },
        });
        if (!run || isWaitingLonger(run, idleSince)) return;
        await this.runs.recordEnd(manager, source, run, toEarlyEnd(run, 'failed'));
      });
    }
  }

  private async store(manager: EntityManager, source: Source, run: SourceRun): Promise<void> {
    const { id, counts, errors } = run;
    if ((counts.planned?.left ?? 0) <= 0) {
      const asks = errors.some(({ code }) => code === 'deletions_unconfirmed');
      const status = asks ? 'needs_confirmation' : 'complete';
      return this.runs.recordEnd(manager, source, run, { status, counts, errors });
    }
    const activeAt = await databaseNow(manager);
    await manager.update(SourceRun, { id }, { counts, errors, activeAt });
  }
}

const findUnfinished = (manager: EntityManager, sourceId: string) =>
  manager.findOneBy(SourceRun, { sourceId, endedAt: IsNull() });

/** Whether nothing of what was announced has come. */
const isUntouched = ({ counts: { planned } }: SourceRun) =>
  !planned || planned.left === planned.added + planned.changed + planned.deleted;

const isWaitingLonger = ({ isConfirmed, activeAt, counts }: SourceRun, idleSince: Date) =>
  isConfirmed && !counts.planned && Number(activeAt) > Number(idleSince) - CONFIRMED_MS;

/** A run of which nothing has come was a dry run: it says what a run would do. */
function toEarlyEnd(run: SourceRun, status: 'cancelled' | 'failed'): EndedRun {
  const { planned, ...counts } = run.counts;
  if (planned && isUntouched(run)) {
    run.isPreview = true;
    const { left: _left, ...announced } = planned;
    return { status: 'complete', counts: { ...counts, ...announced }, errors: run.errors };
  }
  const left = planned?.left ?? 0;
  const message = `oikb ended before it had sent all: ${left} of its files are missing. Run it again.`;
  const errors =
    status === 'failed' ? [...run.errors, { key: null, code: 'unreachable', message }] : run.errors;
  return { status, counts, errors };
}
