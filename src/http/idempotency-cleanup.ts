import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { IDEMPOTENCY_LIFETIME_MS } from './idempotency.js';
import { IdempotencyRecord } from './idempotency-record.entity.js';

const INTERVAL_MS = 60 * 60 * 1000;

/** Forgets old Idempotency-Keys, hourly. */
@Injectable()
export class IdempotencyCleanup implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(IdempotencyCleanup.name);
  private timer?: NodeJS.Timeout;

  constructor(private readonly unitOfWork: UnitOfWork) {}

  onApplicationBootstrap(): void {
    const clean = () => {
      this.clean().catch((error: unknown) => {
        this.logger.error(error);
      });
    };
    clean();
    this.timer = setInterval(clean, INTERVAL_MS);
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private async clean(): Promise<void> {
    const expired = new Date(Date.now() - IDEMPOTENCY_LIFETIME_MS);
    await this.unitOfWork.run((manager) =>
      manager.delete(IdempotencyRecord, { createdAt: LessThan(expired) }),
    );
  }
}
