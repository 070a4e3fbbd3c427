import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { Principals } from '../knowledge-bases/access-rules/principals.js';
import { Watch } from '../platform/jobs/watch.js';
import type { Problem } from '../platform/problems/problem.js';
import { type KeyStatus, sqlKeyStatus, statusProblem, unauthorized } from './api-key-status.js';
import { ApiKey } from './api-key.entity.js';

interface StatusRow {
  readonly id: string;
  readonly status: KeyStatus;
}

/**
 * Aborts answers that are being written when their key is revoked, deleted or expires, or its knowledge
 * base is deleted. One query a second reads all keys with running answers.
 */
@Injectable()
export class ApiKeyWatch extends Watch {
  private readonly watched = new Map<string, Set<AbortController>>();

  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {
    super();
  }

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

  protected override hasNone(): boolean {
    return this.watched.size === 0;
  }

  protected override async look(): Promise<void> {
    const ids = [...this.watched.keys()];
    const problems = await this.problemsOf(ids);
    for (const id of ids) {
      const problem = problems.has(id) ? problems.get(id) : unauthorized('invalid_api_key');
      if (!problem) continue;
      for (const controller of this.watched.get(id) ?? []) controller.abort(problem);
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
