import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { SourceError } from '@latchkey/sources/source-kind';
import { classifyFailure } from '../../platform/database/database-error.js';
import type { Lease } from '../../knowledge-bases/job-queue.js';
import { Job } from '../../platform/jobs/job.js';
import { Problem } from '../../platform/problems/problem.js';
import { SourceRunQueue } from './source-run-queue.js';
import type { RunError, SourceRun } from './source-run.entity.js';
import { SourceRuns } from './source-runs.js';
import { SourceSync } from './source-sync.js';
import { Source } from './source.entity.js';

const POLL_INTERVAL_MS = 2000;
/** The interval at which progress is stored and cancelled runs are noticed. */
const REPORT_INTERVAL_MS = 1000;
/** Runs per process at a time. Runs mostly wait for other servers. */
const MAX_RUNS = 8;
const MAX_RUN_MS = 6 * 60 * 60 * 1000;
/** A run that repeatedly crashes its process is given up. */
const MAX_LEASES = 20;

/** A configuration stored by an earlier version may be invalid now; the message names the field. */
type ProblemWords = Readonly<{ detail: string; errors?: readonly { message: string }[] }>;

/** Works on runs in the background. */
@Injectable()
export class SourceRunJob {
  private readonly logger = new Logger(SourceRunJob.name);

  constructor(
    private readonly queue: SourceRunQueue,
    private readonly runs: SourceRuns,
    private readonly sync: SourceSync,
    @InjectRepository(Source) private readonly sources: Repository<Source>,
  ) {}

  @Job({ every: POLL_INTERVAL_MS, queue: SourceRunQueue, concurrency: MAX_RUNS })
  async work([lease]: readonly [Lease<SourceRun>], stop: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    const source = await this.sources.findOneBy({ id: lease.row.sourceId });
    if (!source) return;
    const lost = new AbortController();
    const signal = AbortSignal.any([stop, lost.signal, AbortSignal.timeout(MAX_RUN_MS)]);
    const counts = { ...lease.row.counts };
    const errors: RunError[] = [];
    const report = setInterval(() => {
      this.queue.report(lease, counts).then(
        (held) => {
          if (!held) lost.abort();
        },
        (error: unknown) => {
          this.logger.warn(error);
        },
      );
    }, REPORT_INTERVAL_MS);
    try {
      if (lease.job.attempts > MAX_LEASES)
        throw new SourceError('unreadable', 'The run was interrupted too many times.');
      const status = await this.sync.run({ source, lease, signal, counts, errors });
      await this.runs.end(lease, { status, counts, errors });
    } catch (error) {
      if (lost.signal.aborted) return;
      if (stop.aborted || isOutage(error)) {
        await this.queue.giveBack(lease, counts, !stop.aborted);
        return;
      }
      errors.push({ key: null, ...this.describe(error, signal) });
      await this.runs.end(lease, { status: 'failed', counts, errors });
    } finally {
      clearInterval(report);
      await this.queue.charge(lease, performance.now() - startedAt);
    }
  }

  private describe(error: unknown, signal: AbortSignal): Omit<RunError, 'key'> {
    if (error instanceof SourceError) return { code: error.code, message: error.message };
    if (signal.aborted) return { code: 'timeout', message: 'The run took longer than six hours.' };
    if (error instanceof Problem) {
      const { detail, errors: [first] = [] } = error.toBody('') as ProblemWords;
      return { code: error.code, message: first?.message ?? detail };
    }
    this.logger.error(error);
    return {
      code: 'internal_error',
      message: 'An internal error occurred. See the logs of the service.',
    };
  }
}

/** Whether the database or the store of originals is temporarily unavailable. */
const isOutage = (error: unknown) =>
  classifyFailure(error) !== undefined || (error instanceof Problem && error.getStatus() >= 500);
