import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { combineFilters } from '@latchkey/ranking/metadata-filter';
import { toComparableName } from '@latchkey/text/person-name';
import { toPrincipals } from '../knowledge-bases/access-rules/principals.js';
import { hasLeft } from '../knowledge-bases/directory/memberships.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import type { Problem } from '../platform/problems/problem.js';
import { ApiKeyGrant } from './api-key-grant.entity.js';
import type { ApiKeyPrincipal, Grant } from './api-key-principal.js';
import { type KeyStatus, sqlKeyStatus, statusProblem, unauthorized } from './api-key-status.js';
import { ApiKey } from './api-key.entity.js';
import { findGrants } from './find-api-key.js';

/** A credential with which a question was asked. */
type Credential = Pick<ApiKeyPrincipal, 'id' | 'endUserId' | 'principals' | 'clientToken'>;

/** The knowledge bases and principals of a credential. */
export type Opened = Pick<ApiKeyPrincipal, 'principals'> & {
  readonly grants: readonly Pick<Grant, 'kbId' | 'scopes' | 'filter'>[];
};

interface KeyState {
  readonly key: ApiKey;
  readonly grants: readonly ApiKeyGrant[];
  /** The reason why the key cannot be used; undefined for a usable key. */
  readonly problem: Problem | undefined;
}

/** Reads the current rights of credentials that were verified earlier. */
@Injectable()
export class CurrentCredentials {
  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {}

  /**
   * Reads all keys at once, and which end users of client tokens have been deprovisioned.
   *
   * @returns for each credential what it opens, or the problem that a new request would get
   */
  async read<T extends Credential>(credentials: readonly T[]): Promise<Map<T, Opened | Problem>> {
    const states = await this.loadStates([...new Set(credentials.map(({ id }) => id))]);
    const left = await this.findLeftKnowledgeBases(credentials);
    return new Map(
      credentials.map((credential) => {
        const leftKbIds = left.get(toCredentialName(credential.id, credential.endUserId));
        return [credential, resolveCredential(credential, states.get(credential.id), leftKbIds)];
      }),
    );
  }

  /** The states by key id. Keys of deleted knowledge bases are missing. */
  private async loadStates(ids: string[]): Promise<Map<string, KeyState>> {
    if (ids.length === 0) return new Map();
    const { raw, entities } = await this.keys
      .createQueryBuilder('k')
      .withDeleted()
      .innerJoin(KnowledgeBase, 'kb', `kb.id = k.ownerId AND kb.state = 'active'`)
      .addSelect(sqlKeyStatus('k', this.keys.manager.dataSource), 'status')
      .where({ id: In(ids) })
      .getRawAndEntities<{ status: KeyStatus }>();
    const grants = await findGrants(this.keys.manager, ids);
    return new Map(
      entities.map((key, index) => {
        const problem = statusProblem(raw[index]?.status ?? 'deleted');
        return [key.id, { key, grants: grants.get(key.id) ?? [], problem }];
      }),
    );
  }

  /** The knowledge bases in which end users have been deprovisioned, by `toCredentialName`. */
  private async findLeftKnowledgeBases(
    credentials: readonly Credential[],
  ): Promise<Map<string, Set<string>>> {
    const named = credentials.flatMap(({ id, endUserId }) =>
      endUserId === undefined ? [] : [{ id, userId: toComparableName(endUserId) }],
    );
    const left = new Map<string, Set<string>>();
    if (named.length === 0) return left;
    const rows = await this.keys
      .createQueryBuilder('k')
      .innerJoin('directory_users', 'person', 'NOT person.active')
      .innerJoin('k.grants', 'opened', hasLeft('person.user_id', 'opened.kb_id'))
      .select('k.id', 'keyId')
      .addSelect('person.user_id', 'endUserId')
      .addSelect('opened.kbId', 'kbId')
      .where({ id: In([...new Set(named.map(({ id }) => id))]) })
      .andWhere('person.user_id IN (:...users)', {
        users: [...new Set(named.map(({ userId }) => userId))],
      })
      .getRawMany<{ keyId: string; endUserId: string; kbId: string }>();
    for (const { keyId, endUserId, kbId } of rows) {
      const name = toCredentialName(keyId, endUserId);
      left.set(name, (left.get(name) ?? new Set()).add(kbId));
    }
    return left;
  }
}

function resolveCredential(
  { principals, clientToken, endUserId }: Credential,
  state: KeyState | undefined,
  left: ReadonlySet<string> | undefined,
): Opened | Problem {
  if (!state) return unauthorized('invalid_api_key');
  const { key, grants, problem } = state;
  if (problem) return problem;
  if (clientToken && clientToken.expiresAt <= new Date()) {
    return unauthorized('client_token_expired');
  }
  if (left?.has(key.ownerId)) return unauthorized('invalid_api_key');
  return {
    principals: endUserId === undefined ? toPrincipals(key.principals ?? []) : principals,
    grants: grants
      .filter(({ kbId }) => !left?.has(kbId))
      .map(({ kbId, scopes, filter }) => ({
        kbId,
        scopes,
        filter: combineFilters(filter, clientToken?.filter),
      })),
  };
}

const toCredentialName = (keyId: string, endUserId: string | undefined): string =>
  JSON.stringify([keyId, endUserId && toComparableName(endUserId)]);
