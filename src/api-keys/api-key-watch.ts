import { Injectable, Logger, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { sqlNow } from '../platform/database/dialect.js';
import type { Problem } from '../platform/problems/problem.js';
import { keyStatus, statusProblem, unauthorized } from './api-key-status.js';
import { ApiKey, ApiKeyState } from './api-key.entity.js';

const INTERVAL_MS = 1000;

/** SQLite returns booleans as 0 or 1. */
interface StatusRow {
  readonly id: string;
  readonly state: ApiKeyState;
  readonly deleted: boolean | 0 | 1;
  readonly expired: boolean | 0 | 1;
}

/**
 * Aborts answers that are being written when their key is revoked, deleted or expires, or its knowledge
 * base is deleted. One query a second reads all keys with running answers.
 *
 * Not a BackgroundJob, because those stop before the last answers are written.
 */
@Injectable()
export class ApiKeyWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ApiKeyWatch.name);
  private readonly watched = new Map<string, Set<AbortController>>();
  private timer?: NodeJS.Timeout;
  private checking = false;

  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {}

  /** The signal's reason is the Problem that a new request with the key would get. */
  watch(keyId: string): { readonly signal: AbortSignal; readonly stop: () => void } {
    const controller = new AbortController();
    const controllers = this.watched.get(keyId) ?? new Set();
    this.watched.set(keyId, controllers.add(controller));
    const stop = () => {
      controllers.delete(controller);
      if (controllers.size === 0) this.watched.delete(keyId);
    };
    return { signal: controller.signal, stop };
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.check(), INTERVAL_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async check(): Promise<void> {
    if (this.checking || this.watched.size === 0) return;
    this.checking = true;
    try {
      const ids = [...this.watched.keys()];
      const problems = await this.problemsOf(ids);
      for (const id of ids) {
        const problem = problems.has(id) ? problems.get(id) : unauthorized('invalid_api_key');
        if (!problem) continue;
        for (const controller of this.watched.get(id) ?? []) controller.abort(problem);
      }
    } catch (error) {
      // The next second checks again.
      this.logger.warn(error);
    } finally {
      this.checking = false;
    }
  }

  /** Problems by key id; undefined for a usable key. Keys of deleted knowledge bases are missing. */
  private async problemsOf(ids: string[]): Promise<Map<string, Problem | undefined>> {
    const now = sqlNow(this.keys.manager.dataSource);
    const rows = await this.keys
      .createQueryBuilder('k')
      .withDeleted()
      .innerJoin('k.knowledgeBase', 'kb', `kb.state = 'active'`)
      .select(['k.id AS id', 'k.state AS state'])
      .addSelect('k.deleted_at IS NOT NULL', 'deleted')
      .addSelect(`k.expires_at IS NOT NULL AND k.expires_at <= ${now}`, 'expired')
      .where({ id: In(ids) })
      .getRawMany<StatusRow>();
    return new Map(
      rows.map(({ id, state, deleted, expired }) => {
        const status = keyStatus({ state, deleted: Boolean(deleted), expired: Boolean(expired) });
        return [id, statusProblem(status)];
      }),
    );
  }
}
