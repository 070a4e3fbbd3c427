import { Injectable, Logger } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Config } from '../../platform/config/config.js';
import { Job, type JobRound } from '../../platform/jobs/job.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { AuditChain, MAX_LINES } from './audit-chain.js';
import { type AuditSink, openAuditSink } from './audit-sink.js';

const POLL_INTERVAL_MS = 1000;
const WARNING_INTERVAL_MS = 60_000;
/** The pause after lines could not be written. */
const RETRY_MS = 5000;

/** Seals the events for AUDIT_LOG and writes them at least once, in one process at a time. */
@Injectable()
export class AuditStreamJob {
  private readonly logger = new Logger(AuditStreamJob.name);
  private sink: Promise<AuditSink> | undefined;
  private retryAt = -Infinity;
  private warnAt = -Infinity;
  private warned = '';
  private waitsSince: number | undefined;
  private readonly written: Counter;
  private readonly failures: Counter;
  private readonly sequence: Gauge;
  private readonly waiting: Gauge;

  constructor(
    private readonly config: Config,
    private readonly chain: AuditChain,
    { registry }: Metrics,
  ) {
    const registers = [registry];
    this.written = new Counter({
      name: 'latchkey_audit_log_lines_total',
      help: 'Lines written to AUDIT_LOG by this process.',
      registers,
    });
    this.failures = new Counter({
      name: 'latchkey_audit_log_failures_total',
      help: 'Failed attempts to write to AUDIT_LOG; the lines are queued.',
      registers,
    });
    this.sequence = new Gauge({
      name: 'latchkey_audit_log_sequence',
      help: 'The number of the last line that this process has written to AUDIT_LOG.',
      registers,
    });
    this.waiting = new Gauge({
      name: 'latchkey_audit_log_waiting',
      help: 'Approximate number of events in the database that are not yet lines of AUDIT_LOG.',
      registers,
    });
  }

  @Job({ every: POLL_INTERVAL_MS, singleton: 'audit-log' })
  async writeWaiting(round: JobRound): Promise<void> {
    const { AUDIT_LOG } = this.config;
    if (AUDIT_LOG === undefined || performance.now() < this.retryAt) return;
    try {
      this.waiting.set(await this.chain.waiting());
      if (await this.chain.isEmpty()) {
        this.waitsSince = undefined;
        return;
      }
      const sink = await (this.sink ??= openAuditSink(AUDIT_LOG, this.config));
      if (!(await this.isTime(sink))) return;
      await this.writeAll(sink, round);
      this.waitsSince = undefined;
    } catch (error) {
      if (round.signal.aborted) return;
      this.failures.inc();
      this.retryAt = performance.now() + RETRY_MS;
      this.warn(error);
    }
  }

  /** Whether there are enough events, or they have waited long enough. */
  private async isTime({ patienceMs }: AuditSink): Promise<boolean> {
    if (patienceMs === 0) return true;
    const now = performance.now();
    this.waitsSince ??= now;
    if (now - this.waitsSince >= patienceMs) return true;
    return (await this.chain.waiting()) >= MAX_LINES;
  }

  private async writeAll(sink: AuditSink, { signal, mayContinue }: JobRound): Promise<void> {
    while (await mayContinue()) {
      const batch = await this.chain.next();
      if (batch) {
        await orStop(sink.write(batch), signal);
        await this.chain.remove(batch);
        const { sequence, lastSequence } = batch;
        this.written.inc(lastSequence - sequence + 1);
        this.sequence.set(lastSequence);
      } else if ((await this.chain.waiting()) === 0) return;
      else await this.chain.seal();
    }
  }

  private warn(error: unknown): void {
    const now = performance.now();
    const { message } = error instanceof Error ? error : new Error(String(error));
    if (now < this.warnAt && message === this.warned) return;
    this.warnAt = now + WARNING_INTERVAL_MS;
    this.warned = message;
    this.logger.warn(`Cannot write AUDIT_LOG; events are queued: ${message}`);
  }
}

/** Stops waiting for the sink when the service stops; the lines are written again. */
async function orStop(writing: Promise<void>, signal: AbortSignal): Promise<void> {
  const stop = Promise.withResolvers<never>();
  const reject = () => {
    stop.reject(new Error('the service stops'));
  };
  signal.addEventListener('abort', reject);
  try {
    await Promise.race([writing, stop.promise]);
  } finally {
    signal.removeEventListener('abort', reject);
  }
}
