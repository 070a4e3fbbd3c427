import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import { EntityManager } from 'typeorm';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import {
  ManagementKeys,
  type ShownManagementKey,
} from '../../knowledge-bases/dashboard-auth/management-keys.js';
import { holdsScope, type ManagementScope } from '../../knowledge-bases/management-scope.js';
import { personsOnly } from '../../knowledge-bases/opens-to.js';
import { clientIp } from '../../platform/config/ip-address.js';
import { databaseNow } from '../../platform/database/database-now.js';
import { lockRows } from '../../platform/database/dialect.js';
import type { AnsweredRequest } from '../../platform/http/answered-request.js';
import { Problem } from '../../platform/problems/problem.js';
import { ApiKeyLookup, type FoundManagementKey } from '../../api-keys/api-key-lookup.js';
import {
  keyStatus,
  requireAllowedCaller,
  statusProblem,
  unauthorized,
} from '../../api-keys/api-key-status.js';
import { ApiKey } from '../../api-keys/api-key.entity.js';
import { isRefusal, KeyUses } from '../../api-keys/key-uses.js';
import { isManagementSecret } from '../../api-keys/secret.js';
import { findPersonsInCharge, findRoles } from './service-account-access.js';

/** Authenticates service accounts by their keys, with one query, and records the use. */
@Injectable()
export class ManagementKeyAuthenticator implements ManagementKeys {
  constructor(
    private readonly lookup: ApiKeyLookup,
    private readonly uses: KeyUses,
    @InjectEntityManager() private readonly manager: EntityManager,
  ) {}

  async inspect(secret: string, ip: string): Promise<ShownManagementKey> {
    const key = await this.findKey(secret, ip, { readOnly: true });
    requireUsable(key, ip);
    const { id, scopes, serviceAccountId } = key;
    return { id, scopes, findRoles: () => findRoles(this.manager, [serviceAccountId]) };
  }

  async authenticate(
    secret: string,
    request: AnsweredRequest,
    required: ManagementScope | undefined,
  ): Promise<DashboardUser> {
    const ip = clientIp(request);
    const key = await this.findKey(secret, ip);
    request.provedActor = key.serviceAccountId;
    const at = new Date();
    // The environment is never written, because keys of service accounts have none.
    const event = {
      key: { ...toUsedManagementKey(key), environment: 'live' },
      at,
      ip,
      count: 1,
    } as const;
    try {
      requireUsable(key, ip);
      requireManagementScope(key, required);
    } catch (error) {
      if (error instanceof Problem && isRefusal(error.getStatus())) {
        const isKeyInactive = key.status === 'deleted' || key.status === 'revoked';
        this.uses.record({ kind: 'refusal', ...event, isKeyInactive });
      }
      throw error;
    }
    if (!key.used && !(await this.lookup.recordFirstUse(key, at))) {
      throw unauthorized('invalid_api_key');
    }
    this.uses.record({ kind: 'use', ...event });
    const { id: keyId, serviceAccountId: id, createsKnowledgeBases, createdBy } = key;
    return {
      id,
      groups: [],
      requestId: request.id,
      serviceAccount: {
        ...{ keyId, createsKnowledgeBases, createdBy },
        confirm: (manager) => confirm(manager, keyId),
        findPersonsInCharge: (manager) => findPersonsInCharge(manager, { id, createdBy }),
      },
    };
  }

  /** @throws Problem `invalid_api_key` or `verification_busy` */
  private async findKey(
    secret: string,
    ip: string,
    options?: { readonly readOnly: boolean },
  ): Promise<FoundManagementKey> {
    const key = isManagementSecret(secret)
      ? await this.lookup.findManagementKey(secret, ip, options)
      : undefined;
    if (!key) throw unauthorized('invalid_api_key');
    return key;
  }
}

const toUsedManagementKey = ({ id, serviceAccountId: kbId }: FoundManagementKey) => ({ id, kbId });

/** @throws Problem a 401 or `ip_not_allowed` */
function requireUsable({ status, allowedIps }: FoundManagementKey, ip: string): void {
  const problem = statusProblem(status);
  if (problem) throw problem;
  requireAllowedCaller(allowedIps, { ip, origin: undefined });
}

/** @throws Problem `insufficient_scope` unless the key may be used for this */
function requireManagementScope(
  { scopes }: FoundManagementKey,
  required: ManagementScope | undefined,
): void {
  if (required === undefined) throw personsOnly();
  if (!holdsScope(scopes, required)) {
    throw new Problem('insufficient_scope', { detail: `The key lacks the scope ${required}.` });
  }
}

async function confirm(manager: EntityManager, id: string): Promise<void> {
  const rows = manager.createQueryBuilder(ApiKey, 'key').withDeleted().where({ id });
  const key = await lockRows(rows).getOne();
  if (!key) throw unauthorized('invalid_api_key');
  const problem = statusProblem(keyStatus(key, await databaseNow(manager)));
  if (problem) throw problem;
}
