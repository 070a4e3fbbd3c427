import { afterEach, describe, expect, it } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { ApiKeyIssuer } from '../../src/api-keys/api-key-issuer.js';
import { ApiKeyAdmission } from '../../src/api-keys/api-key-admission.js';
import { ApiKeysModule } from '../../src/api-keys/api-keys.module.js';
import { ApiKeysService } from '../../src/api-keys/api-keys.service.js';
import { ChatModule } from '../../src/chat/chat.module.js';
import { ChatService } from '../../src/chat/chat.service.js';
import type { DashboardUser } from '../../src/knowledge-bases/dashboard-auth/dashboard-user.js';
import { KnowledgeBasesModule } from '../../src/knowledge-bases/knowledge-bases.module.js';
import { KnowledgeBasesService } from '../../src/knowledge-bases/knowledge-bases.service.js';
import { Client } from '../support/client.js';
import { compileUpTo, TestingApp, testConfig } from '../support/testing-app.js';

const ALICE: DashboardUser = { id: 'alice', groups: [], requestId: 'r-1' };
const BOB: DashboardUser = { id: 'bob', groups: [], requestId: 'r-2' };
const CALLER = { ip: '192.0.2.1', origin: undefined, path: '' };
const refused = (code: string) => expect.objectContaining({ code });

let module: TestingModule;
let app: TestingApp | undefined;
afterEach(async () => {
  // The application closes its server, and then its modules.
  await (app ? app.stop() : module.close());
  app = undefined;
});

describe(KnowledgeBasesModule.name, () => {
  it('needs the modules above it only, and keeps a knowledge base for its members', async () => {
    module = await compileUpTo(KnowledgeBasesModule, await testConfig());
    const service = module.get(KnowledgeBasesService, { strict: false });
    const kb = await service.create(ALICE, { name: 'Handbook' });
    expect(await service.get(ALICE, kb.id)).toMatchObject({ name: 'Handbook', role: 'owner' });
    expect(await service.list(ALICE, { limit: 20 })).toMatchObject({ total: 1 });
    expect(await service.list(BOB, { limit: 20 })).toMatchObject({ total: 0, data: [] });
    await expect(service.get(BOB, kb.id)).rejects.toEqual(refused('not_found'));
    await expect(service.delete(BOB, kb.id)).rejects.toEqual(refused('not_found'));
    await service.delete(ALICE, kb.id);
    await expect(service.get(ALICE, kb.id)).rejects.toEqual(refused('not_found'));
  });
});

describe(ApiKeysModule.name, () => {
  it('needs the modules above it only, and accepts a key until it is revoked', async () => {
    module = await compileUpTo(ApiKeysModule, await testConfig());
    const kb = await module
      .get(KnowledgeBasesService, { strict: false })
      .create(ALICE, { name: 'Handbook' });
    const issuer = module.get(ApiKeyIssuer, { strict: false });
    const dto = { name: 'Shop', environment: 'live' as const };
    await expect(issuer.create(BOB, kb.id, dto)).rejects.toEqual(refused('not_found'));
    const issued = await issuer.create(ALICE, kb.id, dto);

    const admission = module.get(ApiKeyAdmission, { strict: false });
    const admit = () => admission.admit(issued.api_key, CALLER, ['query']);
    expect((await admit()).principal).toMatchObject({ id: issued.id, kbId: kb.id });
    const unscoped = admission.admit(issued.api_key, CALLER, ['documents:write']);
    await expect(unscoped).rejects.toEqual(refused('insufficient_scope'));

    const keys = module.get(ApiKeysService, { strict: false });
    await expect(keys.revoke(BOB, issued.id)).rejects.toEqual(refused('not_found'));
    await keys.revoke(ALICE, issued.id);
    await expect(admit()).rejects.toEqual(refused('api_key_revoked'));
    expect(await keys.get(ALICE, issued.id)).toMatchObject({ state: 'deactivated', active: false });
  });
});

describe(ChatModule.name, () => {
  it('answers from the documents of the principal’s knowledge base, and from no other', async () => {
    app = await TestingApp.start();
    module = app.module;
    const alice = new Client(app, 'alice');
    const [kb, other] = [await alice.createKnowledgeBase(), await alice.createKnowledgeBase()];
    const text = 'Customers may return any order within 30 days of delivery.';
    await alice.addDocument(kb.id, { title: 'Returns policy', text });

    const chat = module.get(ChatService, { strict: false });
    const admission = module.get(ApiKeyAdmission, { strict: false });
    const principalOf = async (kbId: string) => {
      const { api_key } = await alice.createApiKey(kbId);
      const { principal } = await admission.admit(api_key, CALLER, ['chat']);
      return { ...principal, requestId: 'r-1' };
    };
    const dto = { message: 'How long may customers return an order?', stream: false };
    const { signal } = new AbortController();
    expect(await chat.chat(await principalOf(kb.id), dto, signal)).toMatchObject({
      answered: true,
      answer: `30 days\n${text} [1]`,
      answer_value: '30 days',
      sources: [{ document_title: 'Returns policy' }],
    });
    expect(await chat.chat(await principalOf(other.id), dto, signal)).toMatchObject({
      answered: false,
      sources: [],
    });
  });
});
