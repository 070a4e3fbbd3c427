import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { memoryDatabase } from '../../test/support/memory-database.js';
import { RecordedEvents } from '../../test/support/recorded-events.js';
import type { EngineDataSource } from '../platform/database/engine-data-source.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import { ApiKey } from './api-key.entity.js';
import {
  API_KEY_TRANSITIONS,
  type ApiKeyTransition,
  ApiKeyTransitions,
} from './api-key-transitions.js';

const NOW = new Date('2027-03-01T12:00:00Z');
const ACTOR = { id: 'alice', requestId: 'request-1' };
const SUCCESSOR = 'key_successor';

/** What each transition changes by its caller's choice. */
const columnsOf = (name: ApiKeyTransition, { id }: ApiKey): Partial<ApiKey> =>
  ({
    update: { name: 'Renamed' },
    reissue: { prefix: `new prefix ${id}` },
    rotate: { rotatedTo: SUCCESSOR, expiresAt: NOW },
    revoke: {},
    reportLeak: {},
    delete: {},
  })[name];

const KEYS = {
  unused: {},
  used: { firstUsedAt: NOW },
  rotated: { firstUsedAt: NOW, rotatedTo: SUCCESSOR, expiresAt: NOW },
  deactivated: { state: 'deactivated', revokedAt: NOW, revokedBy: 'bob' },
  deleted: { deletedAt: NOW },
} satisfies Record<string, Partial<ApiKey>>;

/** Which transitions each of these keys allows. */
const ALLOWED: Record<keyof typeof KEYS, ApiKeyTransition[]> = {
  unused: ['update', 'reissue', 'rotate', 'revoke', 'reportLeak', 'delete'],
  used: ['update', 'rotate', 'revoke', 'reportLeak', 'delete'],
  rotated: ['update', 'revoke', 'reportLeak', 'delete'],
  deactivated: ['update', 'delete'],
  deleted: [],
};

describe(ApiKeyTransitions, () => {
  let dataSource: EngineDataSource;
  const recorder = new RecordedEvents();
  let transitions: ApiKeyTransitions;
  let keys = 0;

  beforeAll(async () => {
    dataSource = memoryDatabase();
    await dataSource.initialize();
    await dataSource.manager.insert(KnowledgeBase, {
      id: 'kb_1',
      name: 'Handbook',
      state: 'active',
      createdAt: NOW,
      updatedAt: NOW,
    });
    transitions = new ApiKeyTransitions(recorder);
  });

  afterAll(() => dataSource.destroy());

  async function newKey(columns: Partial<ApiKey>): Promise<ApiKey> {
    const id = `key_${++keys}`;
    const unique = { prefix: `prefix ${id}`, fastHash: `hash ${id}` };
    const rest = { name: 'Shop', environment: 'live', secretHash: '', pepperId: '' } as const;
    const owner = { ownerType: 'knowledge_base', ownerId: 'kb_1' } as const;
    const row = { id, ...owner, rotationRoot: id, createdAt: NOW, createdBy: 'alice' };
    const { manager } = dataSource;
    await manager.insert(ApiKey, { ...unique, ...rest, ...row, state: 'active', ...columns });
    return find(id);
  }

  const find = (id: string) =>
    dataSource.manager.findOneOrFail(ApiKey, { where: { id }, withDeleted: true });
  const eventsOf = (id: string) =>
    recorder.recorded.filter((event) => event.actor && event.targetId === id);
  const apply = (name: ApiKeyTransition, key: ApiKey) =>
    transitions.apply(dataSource.manager, ACTOR, name, key, {
      columns: columnsOf(name, key),
      details: { prefix: key.prefix },
    });

  const cases = Object.entries(KEYS).flatMap(([kind, columns]) =>
    Object.keys(API_KEY_TRANSITIONS).map((name) => {
      const allowed = (ALLOWED as Record<string, string[]>)[kind]?.includes(name) ?? false;
      return { kind, columns, name: name as ApiKeyTransition, allowed };
    }),
  );

  it.each(cases.filter(({ allowed }) => allowed))(
    '$name changes a key that is $kind, with one event',
    async ({ columns, name }) => {
      const key = await newKey(columns);
      expect(await apply(name, key)).toBe(true);
      expect(await find(key.id)).not.toEqual(key);
      expect(eventsOf(key.id)).toEqual([
        expect.objectContaining({
          kbId: 'kb_1',
          actor: ACTOR,
          action: API_KEY_TRANSITIONS[name].action,
          details: { prefix: key.prefix },
        }),
      ]);
    },
  );

  it.each(cases.filter(({ allowed }) => !allowed))(
    '$name leaves a key that is $kind as it is, without an event',
    async ({ columns, name }) => {
      const key = await newKey(columns);
      expect(await apply(name, key)).toBe(false);
      expect(await find(key.id)).toEqual(key);
      expect(eventsOf(key.id)).toEqual([]);
    },
  );

  it('says who deactivated a key, and keeps what it was before', async () => {
    const key = await newKey(KEYS.used);
    await apply('revoke', key);
    const { revokedAt, ...revoked } = await find(key.id);
    expect(revokedAt).toBeInstanceOf(Date);
    const { revokedAt: _, ...before } = key;
    expect(revoked).toEqual({ ...before, state: 'deactivated', revokedBy: 'alice' });
  });

  it('never makes a deactivated key active again', async () => {
    const key = await newKey(KEYS.deactivated);
    for (const name of Object.keys(API_KEY_TRANSITIONS)) await apply(name as ApiKeyTransition, key);
    expect(await find(key.id)).toMatchObject({ state: 'deactivated', revokedBy: 'bob' });
  });

  it('does nothing to other keys', async () => {
    const [key, other] = [await newKey({}), await newKey({})];
    await apply('revoke', key);
    expect(await find(other.id)).toEqual(other);
  });
});
