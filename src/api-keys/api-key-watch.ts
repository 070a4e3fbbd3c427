import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { sqlNow } from '../database/column-types.js';
import { ApiKey, ApiKeyState } from './api-key.entity.js';
import { keyStatus, statusProblem, unauthorized } from './api-key-status.js';

const INTERVAL_MS = 1000;
/** Keys in one query. */
const BATCH = 500;

/** SQLite returns booleans as 0 or 1. */
interface StatusRow {
  readonly id: string;
  readonly state: ApiKeyState;
  readonly deleted: boolean | 0 | 1;
  readonly expired: boolean | 0 | 1;
}

/**
 * Aborts answers that are still being written when their key is revoked or deleted or expires, or
 * its knowledge base is deleted. One query a second reads the keys of all of them.
 */
@Injectable()
export class ApiKeyWatch implements OnApplicationShutdown {
  private readonly logger = new Logger(ApiKeyWatch.name);
  private readonly watched = new Map<string, Set<AbortController>>();
  private timer?: NodeJS.Timeout | undefined;
  private checking = false;

  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {}

  /** The signal's reason is the Problem that a new request with the key would get. */
  watch(keyId: string): { readonly signal: AbortSignal; readonly stop: () => void } {
    const controller = new AbortController();
    const controllers = this.watched.get(keyId) ?? new Set();
    this.watched.set(keyId, controllers.add(controller));
    this.timer ??= setInterval(() => void this.check(), INTERVAL_MS);
    const stop = () => {
      controllers.delete(controller);
      if (controllers.size === 0) this.watched.delete(keyId);
      if (this.watched.size === 0) this.stopTimer();
    };
    return { signal: controller.signal, stop };
  }

  onApplicationShutdown(): void {
    this.stopTimer();
  }

  private stopTimer(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async check(): Promise<void> {
    if (this.checking) return;
    this.checking = true;
    try {
      const ids = [...this.watched.keys()];
      for (let start = 0; start < ids.length; start += BATCH) {
        await this.checkBatch(ids.slice(start, start + BATCH));
      }
    } catch (error) {
      // The next second checks again.
      this.logger.warn(error);
    } finally {
      this.checking = false;
    }
  }

  private async checkBatch(ids: string[]): Promise<void> {
    const rows = await this.keys
      .createQueryBuilder('k')
      .withDeleted()
      .innerJoin('k.knowledgeBase', 'kb', `kb.state = 'active'`)
      .select(['k.id AS id', 'k.state AS state'])
      .addSelect('k.deleted_at IS NOT NULL', 'deleted')
      .addSelect(
        `k.expires_at IS NOT NULL AND k.expires_at <= ${sqlNow(this.keys.manager.dataSource)}`,
        'expired',
      )
      .where({ id: In(ids) })
      .getRawMany<StatusRow>();
    const found = new Map(rows.map((row) => [row.id, row]));
    for (const id of ids) {
      const row = found.get(id);
      const problem = row
        ? statusProblem(
            keyStatus({
              state: row.state,
              deleted: Boolean(row.deleted),
              expired: Boolean(row.expired),
            }),
          )
        : unauthorized('invalid_api_key');
      if (!problem) continue;
      for (const controller of this.watched.get(id) ?? []) controller.abort(problem);
    }
  }
}
