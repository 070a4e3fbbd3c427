import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { Principals } from '../knowledge-bases/access-rules/principals.js';
import { DirectoryUser } from '../knowledge-bases/directory/directory-user.entity.js';
import { hasLeft } from '../knowledge-bases/directory/memberships.js';
import { Watch } from '../platform/jobs/watch.js';
import type { Problem } from '../platform/problems/problem.js';
import type { ApiKeyPrincipal } from './api-key-principal.js';
import { type KeyStatus, sqlKeyStatus, statusProblem, unauthorized } from './api-key-status.js';
import { ApiKey } from './api-key.entity.js';

interface StatusRow {
  readonly id: string;
  readonly status: KeyStatus;
}

/** A credential with running answers. */
interface Watched {
  readonly keyId: string;
  readonly endUserId: string | undefined;
  readonly controllers: Set<AbortController>;
}

/**
 * Aborts answers that are being written when their key is revoked, deleted or expires, its knowledge
 * base is deleted, or the end user of their client token has left. One query a second reads all keys with
 * running answers, another one the end users.
 */
@Injectable()
export class ApiKeyWatch extends Watch {
  private readonly watched = new Map<string, Watched>();

  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {
    super();
  }

  /** The signal's reason is the Problem that a new request with the credential would get. */
  watch({ id: keyId, endUserId }: Pick<ApiKeyPrincipal, 'id' | 'endUserId'>): {
    readonly signal: AbortSignal;
    readonly stop: () => void;
  } {
    const controller = new AbortController();
    const name = nameOf(keyId, endUserId);
    const { controllers } = this.watched.get(name) ?? { controllers: new Set() };
    this.watched.set(name, { keyId, endUserId, controllers: controllers.add(controller) });
    const stop = () => {
      controllers.delete(controller);
      if (controllers.size === 0) this.watched.delete(name);
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
    const watched = [...this.watched.values()];
    const problems = await this.problemsOf([...new Set(watched.map(({ keyId }) => keyId))]);
    const left = await this.whoHasLeft(watched);
    for (const { keyId, endUserId, controllers } of watched) {
      const isKnown = problems.has(keyId) && !left.has(nameOf(keyId, endUserId));
      const problem = isKnown ? problems.get(keyId) : unauthorized('invalid_api_key');
      if (!problem) continue;
      for (const controller of controllers) controller.abort(problem);
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

  /** The keys with end users who have left. */
  private async whoHasLeft(watched: readonly Watched[]): Promise<Set<string>> {
    const named = watched.filter(({ endUserId }) => endUserId !== undefined);
    if (named.length === 0) return new Set();
    const rows = await this.keys
      .createQueryBuilder('k')
      .innerJoin(DirectoryUser, 'person', 'NOT person.active')
      .select('k.id', 'keyId')
      .addSelect('person.userId', 'endUserId')
      .where({ id: In(named.map(({ keyId }) => keyId)) })
      .andWhere('person.userId IN (:...users)', { users: named.map(({ endUserId }) => endUserId) })
      .andWhere(hasLeft('person.user_id', 'k.kb_id'))
      .getRawMany<{ keyId: string; endUserId: string }>();
    return new Set(rows.map(({ keyId, endUserId }) => nameOf(keyId, endUserId)));
  }
}

const nameOf = (keyId: string, endUserId: string | undefined): string =>
  JSON.stringify([keyId, endUserId]);
