import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, outcome } from '../../../test/support/client.js';
import {
  newUserId,
  sharedService,
  type SharedService,
} from '../../../test/support/shared-service.js';
import { sql } from '../../../test/support/sql.js';
import { withPlugins } from '../../../test/support/requirement.js';

interface Gap {
  question: string;
  questions: string[];
  count: number;
  previous_count: number;
  unanswered: number;
  down: number;
  closed_at: string | null;
  closed_by: string | null;
  last_asked_at: string;
  conversation_id: string;
}

const ALICE = newUserId('alice');
const VIEWER = newUserId('viewer');
const NORWAY = 'Do you ship parcels to Norway?';
const PENGUINS = 'Where do penguins sleep?';
const ANSWERED = 'How long may customers return an order?';

describe('gaps', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let live: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, ALICE);
    partner = new Client(service);
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
    live = (await alice.createApiKey(kbId)).api_key;
    const text = 'Customers may return any order within 30 days.';
    await alice.addDocument(kbId, { title: 'Returns', text });
  });

  const chat = async (message: string, secret = live) => {
    const { status, body, text } = await partner.chat(secret, message);
    if (status !== 200) throw new Error(text);
    return body;
  };
  const viewing = async () => {
    await alice.call('PUT', `/kbs/${kbId}/members/${VIEWER}`, { role: 'viewer' });
    return new Client(service, VIEWER);
  };
  const rate = async (messageId: string, rating: string) => {
    const body = { api_key: live, rating };
    expect((await partner.post(`/messages/${messageId}/feedback`, body)).status).toBe(200);
  };
  const gaps = async (search = '') =>
    (await alice.get<{ data: Gap[]; grouped_by: string }>(`/kbs/${kbId}/gaps${search}`)).body;
  const askAgain = (question: string, client = alice) =>
    client.post<{ answered: boolean }>(`/kbs/${kbId}/gaps/ask`, { question });
  const closed = async (search = '') =>
    (await gaps(`?state=closed${search}`)).data.map(
      ({ question, count, closed_by: by, closed_at: at }) =>
        `${count} ${question} by ${at === null ? 'nobody' : by}`,
    );
  const questions = async (search = '') =>
    (await gaps(search)).data.map(({ question, count }) => `${count} ${question}`);

  it('are unanswered and badly rated questions, grouped by their words', async () => {
    await chat(NORWAY);
    await chat('parcels to Norway: do you ship them?');
    const last = await chat('Ship parcels Norway');
    await chat(PENGUINS);
    const bad = await chat(ANSWERED);
    await rate(bad.message_id, 'down');
    await rate((await chat(ANSWERED)).message_id, 'up');
    await chat('Good morning');
    const { data, grouped_by } = await gaps();
    expect(grouped_by).toBe('words');
    expect(data).toMatchObject([
      {
        count: 3,
        unanswered: 3,
        down: 0,
        previous_count: 0,
        conversation_id: last.conversation_id,
      },
      { count: 1 },
      { count: 1 },
    ]);
    expect(data.find(({ question }) => question === ANSWERED)).toMatchObject({
      unanswered: 0,
      down: 1,
      questions: [ANSWERED],
      conversation_id: bad.conversation_id,
    });
    expect(await questions('?limit=1')).toHaveLength(1);

    // What is not answered and rated so too counts once.
    await rate(last.message_id, 'down');
    expect((await gaps()).data[0]).toMatchObject({ count: 3, unanswered: 3, down: 0 });
    await rate(bad.message_id, 'up');
    expect(await questions()).toEqual([expect.stringMatching(/^3 /), `1 ${PENGUINS}`]);
  });

  it('have a trend, a period and an environment', async () => {
    const testKey = (await alice.createApiKey(kbId, { environment: 'test' })).api_key;
    for (const secret of [live, live, testKey]) await chat(NORWAY, secret);
    const down = await chat(ANSWERED);
    await rate(down.message_id, 'down');
    expect(await questions('?environment=test')).toEqual([`1 ${NORWAY}`]);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const overmorrow = new Date(Date.now() + 2 * 86_400_000).toISOString();
    expect(await questions(`?from=${tomorrow}&to=${overmorrow}`)).toEqual([]);
    expect(await questions('?from=2020-01-01&to=2020-02-01')).toEqual([]);

    const earlier = '2020-01-10 00:00:00.000';
    await sql(
      service.environment,
      `UPDATE unanswered_questions SET asked_at = '${earlier}' WHERE kb_id = '${kbId}' AND environment = 'live'`,
    );
    await sql(
      service.environment,
      `UPDATE message_feedback SET rated_at = '${earlier}' WHERE kb_id = '${kbId}'`,
    );
    const { data } = await gaps('?from=2020-01-08&to=2020-01-16');
    expect(data).toMatchObject([
      { question: NORWAY, count: 2, previous_count: 0 },
      { question: ANSWERED, count: 1, previous_count: 0 },
    ]);
    // Nothing of the period before is told that was not asked in it.
    expect(await questions('?from=2020-01-12&to=2020-01-16')).toEqual([]);
    await sql(
      service.environment,
      `UPDATE unanswered_questions SET asked_at = '2020-01-13 00:00:00.000'
       WHERE kb_id = '${kbId}' AND environment = 'test'`,
    );
    expect((await gaps('?from=2020-01-12&to=2020-01-16')).data).toMatchObject([
      { question: NORWAY, count: 1, previous_count: 2 },
    ]);
  });

  it('close when the answer is written, and open again when it is not given or not liked', async () => {
    await chat(NORWAY);
    await chat('Ship parcels Norway');
    await chat(PENGUINS);
    const [gap] = (await gaps()).data;
    const answer = 'We ship to Norway within five days.';
    await alice.post(`/kbs/${kbId}/curated-answers`, { questions: gap?.questions, answer });
    expect(await questions()).toEqual([`1 ${PENGUINS}`]);
    expect(await closed()).toEqual([`2 ${gap?.question} by curated_answer`]);

    const given = await chat(NORWAY);
    expect(given).toMatchObject({ answer, answered: true, curated: true });
    expect(await questions()).toEqual([`1 ${PENGUINS}`]);
    await rate(given.message_id, 'down');
    expect(await questions()).toContain(`3 ${NORWAY}`);
    expect(await closed()).toEqual([]);
  });

  it('open again when a curated answer ends with a document', async () => {
    await chat(NORWAY);
    const { id } = await alice.addDocument(kbId, { title: 'Offices', text: 'They are in Oslo.' });
    const body = { questions: [NORWAY], answer: 'Within five days.', sources: [id] };
    await alice.post(`/kbs/${kbId}/curated-answers`, body);
    expect(await questions()).toEqual([]);
    await alice.call('DELETE', `/documents/${id}`);
    expect(await questions()).toEqual([`1 ${NORWAY}`]);
  });

  it('close when they are asked again and documents answer them, and open again when they are refused', async () => {
    await chat('Ship parcels Norway');
    await chat(NORWAY);
    await chat(PENGUINS);
    expect((await askAgain(NORWAY)).body).toMatchObject({ answered: false });
    expect(await questions()).toContain(`2 ${NORWAY}`);

    const text = 'We ship parcels to Norway within five days.';
    const { id } = await alice.addDocument(kbId, { title: 'Norway', text });
    expect((await askAgain(NORWAY)).body).toMatchObject({ answered: true, conversation_id: null });
    expect(await questions()).toEqual([`1 ${PENGUINS}`]);
    expect(await closed()).toEqual([`2 ${NORWAY} by asked_again`]);
    expect(await closed('&environment=test')).toEqual([]);

    await alice.call('DELETE', `/documents/${id}`);
    await chat(NORWAY);
    expect(await questions()).toEqual([`3 ${NORWAY}`, `1 ${PENGUINS}`]);
    expect(await closed()).toEqual([]);
  });

  it('are listed when they are closed, however many others are open', async () => {
    await chat(NORWAY);
    await chat(PENGUINS);
    const text = 'We ship parcels to Norway within five days.';
    await alice.addDocument(kbId, { title: 'Norway', text });
    expect((await askAgain(NORWAY)).body).toMatchObject({ answered: true });
    const many = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)';
    const columns = 'conversation_id, role, content, status, sources, created_at';
    const copied = `FROM n, unanswered_questions u JOIN messages m ON m.id = u.message_id
      WHERE u.kb_id = '${kbId}' AND m.content = '${PENGUINS}'`;
    const ofMessage = columns.replace(/\w+/g, 'm.$&');
    for (const statement of [
      `INSERT INTO messages (id, ${columns}) SELECT m.id || n.i, ${ofMessage} ${copied}`,
      `INSERT INTO unanswered_questions
         (message_id, kb_id, conversation_id, environment, topic, asked_at)
       SELECT m.id || n.i, u.kb_id, u.conversation_id, u.environment, -n.i, u.asked_at ${copied}`,
    ]) {
      await sql(service.environment, `${many} ${statement}`);
    }
    expect(await closed()).toEqual([`1 ${NORWAY} by asked_again`]);
    expect((await gaps()).data).toMatchObject([{ question: PENGUINS, count: 200 }]);
  });

  it('close by the shown words of a long question, and not by what a follow-up goes on from', async () => {
    const long = `${NORWAY} ${'We wonder since last year. '.repeat(50)}`;
    expect(await chat(long)).toMatchObject({ answered: false });
    const first = await chat(PENGUINS);
    const body = { message: 'And in Norway?', conversation_id: first.conversation_id };
    expect((await partner.post('/chat', { ...body, api_key: live })).body).toMatchObject({
      answered: false,
    });
    const told = (await gaps()).data.flatMap((gap) => gap.questions);
    expect(told.sort()).toEqual([body.message, long.slice(0, 1000), PENGUINS].sort());

    const text = 'We ship parcels to Norway within five days.';
    await alice.addDocument(kbId, { title: 'In Norway', text });
    for (const question of told) await askAgain(question);
    expect((await askAgain(body.message)).body).toMatchObject({ answered: true });
    expect((await questions()).sort()).toEqual([`1 ${body.message}`, `1 ${PENGUINS}`].sort());
    expect(await closed()).toEqual([`1 ${long.slice(0, 1000)} by asked_again`]);
  });

  it('are asked again with what everybody may read, by members, and stay where an answer was rated bad', async () => {
    const viewer = await viewing();
    await chat(NORWAY);
    const access = { allow: [`user:${ALICE}`] };
    const text = 'We ship parcels to Norway within five days.';
    const { id } = await alice.addDocument(kbId, { title: 'Norway', text, access });
    expect((await askAgain(NORWAY)).body).toMatchObject({ answered: false });
    expect(await questions()).toEqual([`1 ${NORWAY}`]);
    expect(outcome(await askAgain(NORWAY, viewer))).toBe('403 insufficient_role');

    await alice.call('PATCH', `/documents/${id}`, { access: null });
    await rate((await chat(NORWAY)).message_id, 'down');
    expect((await askAgain(NORWAY)).body).toMatchObject({ answered: true });
    expect((await gaps()).data).toMatchObject([{ question: NORWAY, unanswered: 0, down: 1 }]);
    expect(await closed()).toEqual([]);
  });

  it('are not closed by what a reader may not see, nor by a change of the readers', async () => {
    const viewer = await viewing();
    const viewed = async () =>
      (await viewer.get<{ data: Gap[] }>(`/kbs/${kbId}/gaps`)).body.data.map(
        ({ question }) => question,
      );
    await chat(NORWAY);
    const body = { questions: [NORWAY], answer: 'No.', access: { allow: ['group:staff'] } };
    const { id } = (await alice.post<{ id: string }>(`/kbs/${kbId}/curated-answers`, body)).body;
    expect(await questions()).toEqual([]);
    expect(await viewed()).toEqual([NORWAY]);

    // Asked after it was written, and so in vain.
    await chat(NORWAY);
    expect(await questions()).toEqual([`2 ${NORWAY}`]);
    for (const change of [{ review_at: '2031-01-01' }, { access: { allow: ['everyone'] } }]) {
      const changed = await alice.call('PATCH', `/curated-answers/${id}`, change);
      expect(outcome(changed)).toBe('200');
      expect(await questions()).toEqual([`2 ${NORWAY}`]);
    }
    expect(await viewed()).toEqual([NORWAY]);
    await alice.call('PATCH', `/curated-answers/${id}`, { questions: [NORWAY, PENGUINS] });
    expect(await questions()).toEqual([]);
    expect(await viewed()).toEqual([]);
  });

  it('count an answer as missing for a reader to whom a document of it is closed', async () => {
    const viewer = await viewing();
    const { message_id: id, sources } = await chat(ANSWERED);
    await rate(id, 'down');
    const gapFor = async (client: Client) =>
      (await client.get<{ data: Gap[] }>(`/kbs/${kbId}/gaps`)).body.data;
    const isDown = [{ question: ANSWERED, count: 1, down: 1, unanswered: 0 }];
    expect(await gapFor(viewer)).toMatchObject(isDown);
    const access = { allow: [`user:${ALICE}`] };
    await alice.call('PATCH', `/documents/${sources[0]?.document_id}`, { access });
    expect(await gapFor(viewer)).toMatchObject([{ count: 1, down: 0, unanswered: 1 }]);
    expect(await gapFor(alice)).toMatchObject(isDown);
  });

  withPlugins('service-accounts').it('are for persons only', async () => {
    const account = await alice.createServiceAccount(kbId);
    const key = await alice.createManagementKey(account.id, ['analytics:read']);
    const headers = { authorization: `Bearer ${key.api_key}` };
    const { status } = await fetch(`${service.url}/api/v1/kbs/${kbId}/gaps`, { headers });
    expect(status).toBe(403);
  });

  it('are deleted with the conversations that they come from', async () => {
    const one = await chat(NORWAY);
    const bad = await chat(ANSWERED);
    await rate(bad.message_id, 'down');
    for (const { conversation_id: id } of [one, bad]) {
      expect((await alice.call('DELETE', `/conversations/${id}`)).status).toBe(200);
    }
    expect((await gaps()).data).toEqual([]);
  });

  it.each([
    'limit=0',
    'limit=101',
    'cursor=a',
    'from=yesterday',
    'environment=staging',
    'q=a',
    'state=both',
  ])('refuse ?%s', async (search) => {
    const answer = await alice.get(`/kbs/${kbId}/gaps?${search}`);
    expect(outcome(answer)).toBe('400 validation_failed');
  });
});
