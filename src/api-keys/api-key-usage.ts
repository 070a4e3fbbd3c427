import {
  Injectable,
  Logger,
  OnApplicationBootstrap,
  BeforeApplicationShutdown,
} from '@nestjs/common';
import { IsNull, LessThan } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ApiKey } from './api-key.entity.js';

const FLUSH_INTERVAL_MS = 2000;

/**
 * Collects when keys were used and writes it down every two seconds, in one transaction however
 * many requests there were, and at the stop.
 */
@Injectable()
export class ApiKeyUsage implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ApiKeyUsage.name);
  private pending = new Map<string, Date>();
  private timer?: NodeJS.Timeout;

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Notes a use. The first one in a key's life is written at once, so that "was it ever used?" has
   * a sure answer.
   */
  async record(keyId: string, at: Date, usedBefore: boolean): Promise<void> {
    if (usedBefore) this.pending.set(keyId, at);
    else {
      await this.unitOfWork.run((manager) =>
        manager.update(ApiKey, { id: keyId, lastUsedAt: IsNull() }, { lastUsedAt: at }),
      );
    }
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  private async flush(): Promise<void> {
    if (this.pending.size === 0) return;
    const uses = this.pending;
    this.pending = new Map();
    try {
      await this.unitOfWork.run(async (manager) => {
        for (const [id, at] of uses) {
          // Only ever forward, and this column alone: another process may have been later.
          await manager.update(ApiKey, { id, lastUsedAt: LessThan(at) }, { lastUsedAt: at });
        }
      });
    } catch (error) {
      this.logger.error(error);
      // Kept for the next flush, unless the key was used again meanwhile.
      for (const [id, at] of uses) if (!this.pending.has(id)) this.pending.set(id, at);
    }
  }
}
