import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { memoryDatabase } from '../../test/support/memory-database.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import type { EngineDataSource } from '../platform/database/engine-data-source.js';
import { ApiKeyGrant } from './api-key-grant.entity.js';
import { ApiKey } from './api-key.entity.js';
import { CurrentCredentials } from './current-credentials.js';

const NOW = new Date('2027-03-01T12:00:00Z');
const HOUR_MS = 3_600_000;

describe(CurrentCredentials, () => {
  let dataSource: EngineDataSource;
  let credentials: CurrentCredentials;

  beforeAll(async () => {
    dataSource = memoryDatabase();
    await dataSource.initialize();
    const { manager } = dataSource;
    const times = { createdAt: NOW, updatedAt: NOW };
    await manager.insert(KnowledgeBase, { id: 'kb', name: 'Handbook', state: 'active', ...times });
    for (const [id, state] of [
      ['usable', 'active'] as const,
      ['revoked', 'deactivated'] as const,
    ]) {
      await manager.insert(ApiKey, {
        ...{ id, ownerType: 'knowledge_base', ownerId: 'kb', rotationRoot: id },
        ...{ name: 'Shop', environment: 'live', state },
        ...{ prefix: id, fastHash: id, secretHash: '', pepperId: '' },
        ...{ createdAt: NOW, createdBy: 'alice' },
      });
      const grant = { keyId: id, position: 0, kbId: 'kb' };
      await manager.insert(ApiKeyGrant, { ...grant, scopes: ['query'] });
    }
    credentials = new CurrentCredentials(dataSource.getRepository(ApiKey));
  });

  afterAll(() => dataSource.destroy());

  const ofKey = (id: string) => ({
    ...{ id, endUserId: undefined, principals: [], clientToken: undefined },
  });
  const ofToken = (id: string, endsInMs: number) => ({
    ...{ id, endUserId: 'ann', principals: ['user:ann'] },
    clientToken: { filter: undefined, expiresAt: new Date(Date.now() + endsInMs) },
  });
  const opens = (principals: readonly string[]) =>
    expect.objectContaining({
      principals,
      grants: [expect.objectContaining({ kbId: 'kb' })],
    });
  const refused = (code: string) => expect.objectContaining({ code });

  it('opens nothing by a client token from its end on, whatever else has been asked by its key', async () => {
    const asked = [
      ofToken('usable', -HOUR_MS),
      ofToken('usable', 0),
      ofToken('usable', HOUR_MS),
      ofKey('usable'),
    ];
    const opened = await credentials.read(asked);
    expect(asked.map((one) => opened.get(one))).toEqual([
      ...[refused('client_token_expired'), refused('client_token_expired')],
      ...[opens(['user:ann']), opens([])],
    ]);
  });

  it('refuses a revoked key as a new request would be refused, before the end of its token', async () => {
    const asked = [ofToken('revoked', -HOUR_MS), ofToken('revoked', HOUR_MS), ofKey('revoked')];
    const opened = await credentials.read(asked);
    const refusal = refused('api_key_revoked');
    expect(asked.map((one) => opened.get(one))).toEqual([refusal, refusal, refusal]);
  });
});
