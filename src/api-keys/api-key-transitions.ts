import { Injectable } from '@nestjs/common';
import { type EntityManager, type FindOptionsWhere, IsNull } from 'typeorm';
import type { AuditAction } from '../audit/audit-event.entity.js';
import { type Actor, AuditLog } from '../audit/audit-log.js';
import { ApiKey } from './api-key.entity.js';

interface Transition {
  /** The keys for which the transition is possible. */
  readonly from: FindOptionsWhere<ApiKey>;
  readonly action: AuditAction;
  /** The columns that it always sets. */
  readonly set?: (actor: Actor, now: Date) => Partial<ApiKey>;
}

const NOT_DELETED = { deletedAt: IsNull() };
const ACTIVE = { ...NOT_DELETED, state: 'active' as const };

const deactivate = ({ id }: Actor, now: Date): Partial<ApiKey> => ({
  state: 'deactivated',
  revokedAt: now,
  revokedBy: id,
});

/**
 * Every change in the life of a key. A deactivated key never becomes active again, and a deleted one
 * never changes. Expiry is no transition: each request compares `expiresAt` with the clock.
 */
export const API_KEY_TRANSITIONS = {
  update: { from: NOT_DELETED, action: 'api_key.updated' },
  reissue: { from: { ...ACTIVE, firstUsedAt: IsNull() }, action: 'api_key.reissued' },
  rotate: { from: { ...ACTIVE, rotatedTo: IsNull() }, action: 'api_key.rotated' },
  revoke: { from: ACTIVE, action: 'api_key.revoked', set: deactivate },
  reportLeak: { from: ACTIVE, action: 'api_key.reported_as_leaked', set: deactivate },
  delete: {
    from: NOT_DELETED,
    action: 'api_key.deleted',
    set: (_, now) => ({ deletedAt: now }),
  },
} satisfies Record<string, Transition>;

export type ApiKeyTransition = keyof typeof API_KEY_TRANSITIONS;

@Injectable()
export class ApiKeyTransitions {
  constructor(private readonly auditLog: AuditLog) {}

  /**
   * Changes a key and records the audit event, in the caller's transaction.
   *
   * @param columns further columns to change
   * @returns false when the key's state does not allow it; nothing is changed or recorded then
   */
  async apply(
    manager: EntityManager,
    actor: Actor,
    name: ApiKeyTransition,
    { id, kbId }: Pick<ApiKey, 'id' | 'kbId'>,
    { columns, details }: { columns?: Partial<ApiKey>; details: object },
  ): Promise<boolean> {
    const { from, action, set }: Transition = API_KEY_TRANSITIONS[name];
    const { affected } = await manager.update(
      ApiKey,
      { ...from, id },
      { ...columns, ...set?.(actor, new Date()) },
    );
    if (affected !== 1) return false;
    await this.auditLog.record(manager, actor, { kbId, action, targetId: id, details });
    return true;
  }
}
