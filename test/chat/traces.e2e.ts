import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';
import { sql } from '../support/sql.js';

interface Trace {
  reason: string;
  searches: { text: string; reason: string | null; passages: Record<string, unknown>[] }[];
  settings: Record<string, unknown>;
}

const OWNER = newUserId('owner');
const VIEWER = newUserId('viewer');
const TEXT = 'Customers may return any order within 30 days of delivery.';

describe('the trace of an answer', () => {
  let service: SharedService;
  let owner: Client;
  let viewer: Client;
  let partner: Client;
  let kbId: string;
  let secret: string;

  beforeAll(async () => {
    service = await sharedService();
    owner = new Client(service, OWNER);
    viewer = new Client(service, VIEWER);
    partner = new Client(service);
  });

  beforeEach(async () => {
    kbId = (await owner.createKnowledgeBase()).id;
    secret = (await owner.createApiKey(kbId)).api_key;
    await owner.call('PUT', `/kbs/${kbId}/members/${VIEWER}`, { role: 'viewer' });
  });

  const ask = async (message: string, more: object = {}) => {
    const { body } = await partner.chat(secret, message, { end_user_id: 'ann', ...more });
    return {
      conversationId: body.conversation_id,
      messageId: body.message_id,
      path: `/conversations/${body.conversation_id}/messages/${body.message_id}/trace`,
    };
  };

  it('keeps what was searched, found and cited, as it was when the answer was given', async () => {
    const { id } = await owner.addDocument(kbId, { title: 'Returns', text: TEXT });
    const { path } = await ask('How long may customers return an order?');
    const { body } = await viewer.get<Trace>(path);
    expect(body).toMatchObject({
      reason: 'quoted',
      settings: { model: 'extractive', effort: null },
    });
    const [search] = body.searches;
    expect(search).toMatchObject({
      text: 'How long may customers return an order?',
      reason: 'answered',
    });
    const [passage] = search?.passages ?? [];
    expect(passage).toMatchObject({
      ...{ rank: 1, state: 'current', document_title: 'Returns', text: TEXT },
      ...{ source_index: 1, cited: true, words: expect.any(Number) as unknown },
    });

    await owner.call('DELETE', `/documents/${id}`);
    const after = (await viewer.get<Trace>(path)).body;
    expect(after.searches[0]?.passages[0]).toMatchObject({
      ...{ state: 'deleted', document_title: null, text: null },
    });
  });

  it('says why nothing was answered', async () => {
    const nothing = await ask('How long may customers return an order?');
    expect((await owner.get<Trace>(nothing.path)).body).toMatchObject({ reason: 'nothing_found' });
    const hello = await ask('Hello!');
    expect((await owner.get<Trace>(hello.path)).body).toMatchObject({
      ...{ reason: 'smalltalk', searches: [] },
    });
    await owner.addDocument(kbId, { title: 'Returns', text: TEXT });
    await owner.call('PATCH', `/kbs/${kbId}/settings`, { answer_threshold: 1 });
    const unsure = await ask('How long may customers return an order?');
    expect((await owner.get<Trace>(unsure.path)).body).toMatchObject({
      ...{ reason: 'below_answer_threshold', settings: { answer_threshold: 1 } },
    });
    await owner.call('PATCH', `/kbs/${kbId}/settings`, { min_score: 1 });
    const low = await ask('How long may customers return an order?');
    expect((await owner.get<Trace>(low.path)).body).toMatchObject({ reason: 'below_min_score' });
  });

  it('shows neither titles nor texts of documents that the reader may not read', async () => {
    const { api_key: staff } = await owner.createApiKey(kbId, { principals: ['group:staff'] });
    await owner.addDocument(kbId, {
      title: 'Secret returns',
      text: TEXT,
      access: { allow: ['group:staff'] },
    });
    const { body: given } = await partner.chat(staff, 'How long may customers return an order?');
    expect(given.answered).toBe(true);
    const path = `/conversations/${given.conversation_id}/messages/${given.message_id}/trace`;
    const { text, body } = await viewer.get<Trace>(path);
    expect(text).not.toContain('Secret');
    expect(text).not.toContain('30 days');
    expect(text).not.toContain('doc_');
    expect(body).toMatchObject({ reason: 'hidden', settings: { model: null } });
    expect(body.searches[0]?.passages[0]).toMatchObject({ state: 'hidden', score: null });
  });

  it('is deleted with its message', async () => {
    await owner.addDocument(kbId, { title: 'Returns', text: TEXT });
    const { path, messageId, conversationId } = await ask(
      'How long may customers return an order?',
    );
    const count = `SELECT COUNT(*) AS n FROM messages WHERE id = '${messageId}' AND trace IS NOT NULL`;
    expect(Number((await sql<{ n: number }>(service.environment, count))[0]?.n)).toBe(1);
    const other = await ask('How long may customers return an order?');
    const crossed = `/conversations/${other.conversationId}/messages/${messageId}/trace`;
    expect((await owner.get(crossed)).status).toBe(404);
    await owner.call('DELETE', `/kbs/${kbId}/conversations?end_user_id=ann`);
    expect((await owner.get(path)).status).toBe(404);
    expect(Number((await sql<{ n: number }>(service.environment, count))[0]?.n)).toBe(0);
    expect(conversationId).not.toBe(other.conversationId);
  });

  it('is missing for answers of earlier versions', async () => {
    const { path, messageId } = await ask('How long may customers return an order?');
    await sql(service.environment, `UPDATE messages SET trace = NULL WHERE id = '${messageId}'`);
    const { status, text } = await owner.get(path);
    expect(status).toBe(404);
    expect(text).toContain('earlier versions');
  });
});
