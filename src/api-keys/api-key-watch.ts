import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { sqlNow } from '../database/dialect.js';
import { ApiKey, ApiKeyState } from './api-key.entity.js';
import { refusalOf, unauthorized } from './refusal.js';

const INTERVAL_MS = 1000;
/** Keys in one query. */
const BATCH = 500;

/** SQLite tells truth as 0 or 1. */
interface Row {
  readonly id: string;
  readonly state: ApiKeyState;
  readonly deleted: boolean | 0 | 1;
  readonly expired: boolean | 0 | 1;
}

/**
 * Tells an answer that takes its time when its key has been revoked, deleted or has expired
 * meanwhile, or the knowledge base was deleted: one query a second for all that are being given.
 */
@Injectable()
export class ApiKeyWatch implements OnApplicationShutdown {
  private readonly logger = new Logger(ApiKeyWatch.name);
  private readonly watched = new Map<string, Set<AbortController>>();
  private timer?: NodeJS.Timeout | undefined;
  private checking = false;

  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {}

  /** The signal is aborted with the Problem that the key would now be refused with. */
  watch(keyId: string): { readonly signal: AbortSignal; readonly stop: () => void } {
    const controller = new AbortController();
    const controllers = this.watched.get(keyId) ?? new Set();
    this.watched.set(keyId, controllers.add(controller));
    this.timer ??= setInterval(() => void this.check(), INTERVAL_MS);
    const stop = () => {
      controllers.delete(controller);
      if (controllers.size === 0) this.watched.delete(keyId);
      if (this.watched.size === 0) this.rest();
    };
    return { signal: controller.signal, stop };
  }

  onApplicationShutdown(): void {
    this.rest();
  }

  private rest(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async check(): Promise<void> {
    if (this.checking) return;
    this.checking = true;
    try {
      const ids = [...this.watched.keys()];
      for (let start = 0; start < ids.length; start += BATCH) {
        await this.checkSome(ids.slice(start, start + BATCH));
      }
    } catch (error) {
      // The next second asks again.
      this.logger.warn(error);
    } finally {
      this.checking = false;
    }
  }

  private async checkSome(ids: string[]): Promise<void> {
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
      .getRawMany<Row>();
    const found = new Map(rows.map((row) => [row.id, row]));
    for (const id of ids) {
      const row = found.get(id);
      const refusal = row
        ? refusalOf({ ...row, deleted: Boolean(row.deleted), expired: Boolean(row.expired) })
        : unauthorized('invalid_api_key');
      if (refusal)
        this.watched.get(id)?.forEach((controller) => {
          controller.abort(refusal);
        });
    }
  }
}
