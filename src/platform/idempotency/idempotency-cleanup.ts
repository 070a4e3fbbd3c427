import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { BackgroundJob } from '../jobs/background-job.js';
import { IDEMPOTENCY_LIFETIME_MS } from './idempotency.js';
import { IdempotencyRecord } from './idempotency-record.entity.js';

const INTERVAL_MS = 60 * 60 * 1000;

/** Deletes expired Idempotency-Keys, hourly. */
@Injectable()
export class IdempotencyCleanup extends BackgroundJob {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super(INTERVAL_MS);
  }

  protected override async run(): Promise<void> {
    const expired = new Date(Date.now() - IDEMPOTENCY_LIFETIME_MS);
    await this.unitOfWork.run((manager) =>
      manager.delete(IdempotencyRecord, { createdAt: LessThan(expired) }),
    );
  }
}
