import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { comparedName } from '@latchkey/text/person-name';
import { type Principals, toPrincipals } from '../knowledge-bases/access-rules/principals.js';
import { DirectoryUser } from '../knowledge-bases/directory/directory-user.entity.js';
import { hasLeft } from '../knowledge-bases/directory/memberships.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import { Watch } from '../platform/jobs/watch.js';
import { Problem } from '../platform/problems/problem.js';
import type { ApiKeyPrincipal } from './api-key-principal.js';
import { type KeyStatus, sqlKeyStatus, statusProblem, unauthorized } from './api-key-status.js';
import { ApiKeyKnowledgeBase } from './api-key-knowledge-base.entity.js';
import { ApiKey } from './api-key.entity.js';
import { othersOf } from './find-api-key.js';

interface StatusRow {
  readonly id: string;
  readonly kbId: string;
  readonly status: KeyStatus;
}

/** A credential with running answers. */
interface Watched {
  readonly keyId: string;
  readonly endUserId: string | undefined;
  readonly answers: Set<RunningAnswer>;
}

/** A running answer, and the knowledge bases that were asked. */
interface RunningAnswer {
  readonly controller: AbortController;
  readonly kbIds: readonly string[];
}

/** What an answer needs of its key. */
interface KeyState {
  /** Undefined for a usable key. */
  readonly problem: Problem | undefined;
  readonly mainKbId: string;
  /** The knowledge bases that it opens. */
  readonly kbIds: ReadonlySet<string>;
}

/**
 * Aborts answers that are being written when their key is revoked, deleted or expires, its knowledge
 * base is deleted, one that was asked is taken out of it, or the end user of their client token has left one.
 * Once a second it reads all keys with running answers, what they open, and the end users.
 */
@Injectable()
export class ApiKeyWatch extends Watch {
  private readonly watched = new Map<string, Watched>();

  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {
    super();
  }

  /** The signal's reason is the Problem that a new request with the credential would get. */
  watch(
    { id: keyId, endUserId }: Pick<ApiKeyPrincipal, 'id' | 'endUserId'>,
    kbIds: readonly string[],
  ): { readonly signal: AbortSignal; readonly stop: () => void } {
    const controller = new AbortController();
    const name = nameOf(keyId, endUserId);
    const answer = { controller, kbIds };
    const { answers } = this.watched.get(name) ?? { answers: new Set() };
    this.watched.set(name, { keyId, endUserId, answers: answers.add(answer) });
    const stop = () => {
      answers.delete(answer);
      if (answers.size === 0) this.watched.delete(name);
    };
    return { signal: controller.signal, stop };
  }

  /** In whose name the key reads at this moment. */
  async principalsOf(id: string): Promise<Principals> {
    return toPrincipals((await this.keys.findOneBy({ id }))?.principals ?? []);
  }

  protected override hasNone(): boolean {
    return this.watched.size === 0;
  }

  protected override async look(): Promise<void> {
    const watched = [...this.watched.values()];
    const states = await this.statesOf([...new Set(watched.map(({ keyId }) => keyId))]);
    const left = await this.whoHasLeft(watched);
    for (const { keyId, endUserId, answers } of watched) {
      const found = states.get(keyId);
      const leftKbIds = left.get(nameOf(keyId, endUserId));
      const state = found && leftKbIds?.has(found.mainKbId) ? undefined : found;
      for (const { controller, kbIds } of answers) {
        const problem = state ? state.problem : unauthorized('invalid_api_key');
        if (problem) controller.abort(problem);
        else if (!kbIds.every((kbId) => state?.kbIds.has(kbId) && !leftKbIds?.has(kbId))) {
          controller.abort(new Problem('access_changed'));
        }
      }
    }
  }

  /** By key id. Keys of deleted knowledge bases are missing. */
  private async statesOf(ids: string[]): Promise<Map<string, KeyState>> {
    const rows = await this.keys
      .createQueryBuilder('k')
      .withDeleted()
      .innerJoin('k.knowledgeBase', 'kb', `kb.state = 'active'`)
      .select('k.id', 'id')
      .addSelect('k.kbId', 'kbId')
      .addSelect(sqlKeyStatus('k', this.keys.manager.dataSource), 'status')
      .where({ id: In(ids) })
      .getRawMany<StatusRow>();
    const others = await othersOf(this.keys.manager, ids);
    return new Map(
      rows.map(({ id, kbId, status }) => {
        const kbIds = new Set([kbId, ...(others.get(id) ?? []).map((other) => other.kbId)]);
        return [id, { problem: statusProblem(status), mainKbId: kbId, kbIds }];
      }),
    );
  }

  /** The knowledge bases of keys that end users have left, by `nameOf`. */
  private async whoHasLeft(watched: readonly Watched[]): Promise<Map<string, Set<string>>> {
    const named = watched.flatMap(({ keyId, endUserId }) =>
      endUserId === undefined ? [] : [{ keyId, userId: comparedName(endUserId) }],
    );
    const left = new Map<string, Set<string>>();
    if (named.length === 0) return left;
    const rows = await this.keys
      .createQueryBuilder('k')
      .innerJoin(DirectoryUser, 'person', 'NOT person.active')
      .leftJoin(ApiKeyKnowledgeBase, 'other', 'other.apiKeyId = k.id')
      .innerJoin(
        KnowledgeBase,
        'kb',
        `(kb.id = k.kbId OR kb.id = other.kbId) AND ${hasLeft('person.user_id', 'kb.id')}`,
      )
      .select('k.id', 'keyId')
      .addSelect('person.userId', 'endUserId')
      .addSelect('kb.id', 'kbId')
      .where({ id: In(named.map(({ keyId }) => keyId)) })
      .andWhere('person.userId IN (:...users)', { users: named.map(({ userId }) => userId) })
      .getRawMany<{ keyId: string; endUserId: string; kbId: string }>();
    for (const { keyId, endUserId, kbId } of rows) {
      const name = nameOf(keyId, endUserId);
      left.set(name, (left.get(name) ?? new Set()).add(kbId));
    }
    return left;
  }
}

const nameOf = (keyId: string, endUserId: string | undefined): string =>
  JSON.stringify([keyId, endUserId && comparedName(endUserId)]);
