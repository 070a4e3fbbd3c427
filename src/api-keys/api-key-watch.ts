import { Injectable, Logger, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { Principals } from '../knowledge-bases/access-rules/principals.js';
import type { Problem } from '../platform/problems/problem.js';
import { type KeyStatus, sqlKeyStatus, statusProblem, unauthorized } from './api-key-status.js';
import { ApiKey } from './api-key.entity.js';

const INTERVAL_MS = 1000;

interface StatusRow {
  readonly id: string;
  readonly status: KeyStatus;
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

  /** In whose name the key reads at this moment. */
  async principalsOf(id: string): Promise<Principals> {
    return (await this.keys.findOneBy({ id }))?.principals ?? [];
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
    const rows = await this.keys
      .createQueryBuilder('k')
      .withDeleted()
      .innerJoin('k.knowledgeBase', 'kb', `kb.state = 'active'`)
      .select('k.id', 'id')
      .addSelect(sqlKeyStatus('k', this.keys.manager.dataSource), 'status')
      .where({ id: In(ids) })
      .getRawMany<StatusRow>();
    return new Map(rows.map(({ id, status }) => [id, statusProblem(status)]));
  }
}
