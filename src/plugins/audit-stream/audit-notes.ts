import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { Counter } from 'prom-client';
import { type AuditScope, Config } from '../../platform/config/config.js';
import { limitedAddress } from '../../platform/config/ip-address.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { newId } from '../../platform/http/type-id.js';
import { Job } from '../../platform/jobs/job.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { AuditOutbox, waitingEvents } from './audit-outbox.js';
import { type OcsfEvent, refusalsLeftOut, refusalToOcsf, type ReportedRequest } from './ocsf.js';

const FLUSH_INTERVAL_MS = 1000;
const BATCH = 500;
/** The number of events kept in memory while the database cannot be written: about 10 MB. */
const MAX_BUFFERED = 10_000;
/**
 * The number of events waiting for AUDIT_LOG in the database beyond which only changes are added: about 100
 * MB.
 */
const MAX_WAITING = 100_000;
const MINUTE_MS = 60_000;
/**
 * The number of refusals per minute that get an event of their own, so that refused clients cannot fill a
 * disk.
 */
const MAX_REFUSALS = 600;
/** The number of them per address. */
const MAX_REFUSALS_PER_ADDRESS = 60;

/**
 * Events of AUDIT_SCOPE, which belong to no transaction. They are collected in memory, and written each
 * second and at shutdown. `kill -9` loses the events since the last write.
 */
@Injectable()
export class AuditNotes implements OnApplicationShutdown {
  private buffered: { readonly scope: AuditScope; readonly event: OcsfEvent }[] = [];
  private refusals = new Map<string, number>();
  private recordedRefusals = 0;
  private refusalsLeftOut = 0;
  private minute = 0;
  private readonly dropped: Counter<'scope'>;

  constructor(
    private readonly config: Config,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: AuditOutbox,
    { registry }: Metrics,
  ) {
    this.dropped = new Counter({
      name: 'latchkey_audit_log_dropped_total',
      help: 'Events of AUDIT_SCOPE that are not in AUDIT_LOG, because too many came at once or were waiting.',
      labelNames: ['scope'],
      registers: [registry],
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.writeAll();
  }

  isInScope(scope: AuditScope): boolean {
    return this.config.AUDIT_SCOPE.includes(scope);
  }

  add(scope: AuditScope, toOcsf: (event: { uid: string; at: Date }) => OcsfEvent): void {
    if (!this.isInScope(scope)) return;
    if (this.buffered.length >= MAX_BUFFERED) this.dropped.inc({ scope });
    else this.buffered.push({ scope, event: toOcsf({ uid: newId('audit'), at: new Date() }) });
  }

  /**
   * Adds a refusal. Beyond the limits, refusals are only counted, and each minute has an event with their
   * number.
   */
  addRefusal(request: ReportedRequest): void {
    if (!this.isInScope('refusals')) return;
    this.beginMinute();
    const address = limitedAddress(request.ip);
    const addressRefusals = this.refusals.get(address) ?? 0;
    if (this.recordedRefusals >= MAX_REFUSALS || addressRefusals >= MAX_REFUSALS_PER_ADDRESS) {
      this.refusalsLeftOut++;
      this.dropped.inc({ scope: 'refusals' });
      return;
    }
    this.recordedRefusals++;
    this.refusals.set(address, addressRefusals + 1);
    this.add('refusals', (event) => refusalToOcsf(event, request));
  }

  @Job({ every: FLUSH_INTERVAL_MS })
  async writeAll(): Promise<void> {
    this.beginMinute();
    while (this.buffered.length > 0) {
      const batch = this.buffered.slice(0, BATCH);
      const isAdded = await this.unitOfWork.run(async (manager) => {
        if ((await waitingEvents(manager)) >= MAX_WAITING) return false;
        const events = batch.map(({ event }) => event);
        await this.outbox.add(manager, events);
        return true;
      });
      if (!isAdded) for (const { scope } of batch) this.dropped.inc({ scope });
      this.buffered = this.buffered.slice(batch.length);
    }
  }

  private beginMinute(): void {
    const minute = Math.floor(performance.now() / MINUTE_MS);
    if (minute === this.minute) return;
    this.minute = minute;
    this.refusals = new Map();
    this.recordedRefusals = 0;
    const count = this.refusalsLeftOut;
    this.refusalsLeftOut = 0;
    if (count > 0) this.add('refusals', (event) => refusalsLeftOut(event, count));
  }
}
