import { Events, shownId } from '../knowledge-bases/events/events.js';
import { Injectable } from '@nestjs/common';
import { type EntityManager, type FindOptionsWhere, IsNull } from 'typeorm';
import type { Actor, Change, EventData } from '../knowledge-bases/events/event.js';
import { findOpenedKbIds } from './find-api-key.js';
import { ApiKey } from './api-key.entity.js';

interface KeyTransition {
  /** The condition that a key must meet. */
  readonly from: FindOptionsWhere<ApiKey>;
  readonly action: Change;
  /** Columns that the transition always sets. */
  readonly set?: (actor: Actor, now: Date) => Partial<ApiKey>;
}

const NOT_DELETED = { deletedAt: IsNull() };
const ACTIVE = { ...NOT_DELETED, state: 'active' as const };

const deactivate = (actor: Actor, now: Date): Partial<ApiKey> => ({
  state: 'deactivated',
  revokedAt: now,
  revokedBy: shownId(actor),
});

/**
 * Every change in the life of a key. A deactivated key never becomes active again, and a deleted one never
 * changes. Expiry is not a transition: each request compares `expiresAt` with the clock.
 */
export const API_KEY_TRANSITIONS = {
  update: { from: NOT_DELETED, action: 'api_key.updated' },
  reissue: {
    from: { ...ACTIVE, firstUsedAt: IsNull(), rotatedTo: IsNull() },
    action: 'api_key.reissued',
  },
  rotate: {
    from: { ...ACTIVE, rotatedTo: IsNull() },
    action: 'api_key.rotated',
  },
  revoke: { from: ACTIVE, action: 'api_key.revoked', set: deactivate },
  reportLeak: {
    from: ACTIVE,
    action: 'api_key.reported_as_leaked',
    set: deactivate,
  },
  delete: {
    from: NOT_DELETED,
    action: 'api_key.deleted',
    set: (_, now) => ({ deletedAt: now }),
  },
} satisfies Record<string, KeyTransition>;

/** A key that the transaction has locked and read, or its id and its owner's id. */
type ChangedKey = Readonly<ApiKey | Pick<ApiKey, 'id' | 'ownerId'>>;

export type ApiKeyTransition = keyof typeof API_KEY_TRANSITIONS;

/**
 * Changes keys and records the events, in the caller's transaction and in each of the key's knowledge
 * bases.
 */
@Injectable()
export class ApiKeyTransitions {
  constructor(private readonly events: Events) {}

  recordCreation(
    manager: EntityManager,
    actor: Actor,
    key: Pick<ApiKey, 'id' | 'ownerId'>,
    details: object,
  ): Promise<void> {
    return this.record(manager, actor, 'api_key.created', key, details);
  }

  /** Records an event in each of the key's knowledge bases. */
  async record(
    manager: EntityManager,
    actor: Actor,
    action: Change,
    key: ChangedKey,
    details: object,
    changes: Partial<ApiKey> = {},
  ): Promise<void> {
    const data = await describeKey(manager, key, changes);
    for (const kbId of await findOpenedKbIds(manager, key)) {
      const event = { kbId, action, targetId: key.id, details, data };
      await this.events.recordChange(manager, actor, event);
    }
  }

  /**
   * Changes a key.
   *
   * @param columns further columns to change
   * @returns false when the key's state does not allow it; nothing is changed or recorded then
   */
  async apply(
    manager: EntityManager,
    actor: Actor,
    name: ApiKeyTransition,
    key: ChangedKey,
    { columns, details }: { columns?: Partial<ApiKey>; details: object },
  ): Promise<boolean> {
    const { id } = key;
    const { from, action, set }: KeyTransition = API_KEY_TRANSITIONS[name];
    const changes = { ...columns, ...set?.(actor, new Date()) };
    const { affected } = await manager.update(ApiKey, { ...from, id }, changes);
    if (affected !== 1) return false;
    await this.record(manager, actor, action, key, details, changes);
    return true;
  }

  /** Notifies only the owners of the knowledge base, because nobody else may know of it. */
  async recordTakenOut(
    manager: EntityManager,
    actor: Actor,
    { id: targetId, prefix }: Pick<ApiKey, 'id' | 'prefix'>,
    kbId: string,
  ): Promise<void> {
    const action = 'api_key.taken_out' as const;
    await this.events.recordChange(manager, actor, { kbId, action, targetId, details: { prefix } });
  }
}

/** The data of a key's event, as the key is after the change. */
async function describeKey(
  manager: EntityManager,
  key: ChangedKey,
  changes: Partial<ApiKey> = {},
): Promise<EventData> {
  if (key instanceof ApiKey) return toEventFields({ ...key, ...changes });
  const where = { id: key.id };
  return toEventFields(await manager.findOneOrFail(ApiKey, { where, withDeleted: true }));
}

/** The fields of a key in an event. */
export const toEventFields = (key: ApiKey) => ({
  api_key_id: key.id,
  environment: key.environment,
  state: key.deletedAt === null ? key.state : 'deleted',
  expires_at: key.expiresAt?.toISOString() ?? null,
  rotated_from: key.rotatedFrom,
  rotated_to: key.rotatedTo,
});
