import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Client,
  type Document,
  inTurns,
  type IssuedApiKey,
  type KnowledgeBase,
  outcome,
  outcomes,
  PatientClient,
} from '../support/client.js';
import { figure } from '../support/figure.js';
import { DEFAULT_TIMEOUTS } from '../support/launch.mjs';
import { startOwnPostgres } from '../support/postgres.mjs';
import { eventually, Service } from '../support/service.js';
import { createDatabase } from '../support/postgres.mjs';
import { STALLED_MS } from '../support/stalled.js';

const DOCUMENT = { title: 'Returns', text: 'Customers may return any order within 30 days.' };

describe('with PostgreSQL away', () => {
  let postgres: Awaited<ReturnType<typeof startOwnPostgres>>;
  let isAway = false;
  let service: Service;
  let alice: Client;
  let partner: Client;
  let patient: PatientClient;
  let kb: KnowledgeBase;
  let key: IssuedApiKey;
  let document: Document;

  beforeAll(async () => {
    postgres = await startOwnPostgres();
  });

  afterAll(() => postgres.remove());

  beforeEach(async () => {
    service = await Service.start({
      ...DEFAULT_TIMEOUTS,
      DATABASE_URL: await createDatabase(postgres.url),
    });
    alice = new Client(service, 'alice');
    partner = new Client(service);
    patient = new PatientClient(service, 'alice');
    kb = await patient.createKnowledgeBase();
    key = await patient.createApiKey(kb.id);
    document = await patient.addDocument(kb.id, DOCUMENT);
    expect(outcome(await patient.query(key.api_key, 'return'))).toBe('200');
  });

  afterEach(async () => {
    // A test that failed may have left it so.
    if (isAway) await back.stopped();
    await service.stop();
  });

  const gone = {
    stopped: async () => {
      await postgres.stop();
      isAway = true;
    },
    frozen: () => {
      postgres.freeze();
    },
  };
  const back = {
    stopped: async () => {
      await postgres.start();
      isAway = false;
    },
    frozen: () => {
      postgres.thaw();
    },
  };

  const health = async (path: string) => (await fetch(`${service.url}/health/${path}`)).status;

  /** One of each kind: reading, writing, and the partners' two. */
  const requests = () => [
    () => alice.get('/kbs'),
    () => alice.get(`/documents/${document.id}`),
    () => alice.post('/kbs', { name: 'Lost' }),
    () => alice.post(`/kbs/${kb.id}/api-keys`, { name: 'Lost', environment: 'live' }),
    () => alice.post(`/kbs/${kb.id}/documents`, { title: 'Lost', text: 'Lost' }),
    () => alice.call('PATCH', `/api-keys/${key.id}/revoke`),
    () => alice.call('DELETE', `/kbs/${kb.id}`),
    () => partner.query(key.api_key, 'return'),
    () => partner.chat(key.api_key, 'return'),
  ];

  async function expectRefusals() {
    // Twice as many as there are connections, so that most wait for one.
    const all = [...requests(), ...requests(), ...requests()];
    const answers = await Promise.all(
      all.map(async (request) => {
        const start = performance.now();
        const answer = await request();
        return { answer, elapsed: performance.now() - start };
      }),
    );
    expect(answers.map(({ answer }) => outcome(answer))).toEqual(
      all.map(() => '503 database_unavailable'),
    );
    const longest = Math.round(Math.max(...answers.map(({ elapsed }) => elapsed)));
    figure(`PostgreSQL away: ${answers.length} requests 503 after ${longest} ms at most`);
    for (const { answer, elapsed } of answers) {
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(elapsed).toBeLessThan(STALLED_MS);
    }
  }

  async function expectHealth() {
    const begin = performance.now();
    await eventually(async () => (await health('ready')) === 200);
    expect(outcome(await patient.get(`/kbs/${kb.id}`))).toBe('200');
    expect(outcome(await patient.post('/kbs', { name: 'Next' }))).toBe('201');
    const { body } = await patient.query(key.api_key, 'return');
    expect(body.results).toMatchObject([{ document_id: document.id, text: DOCUMENT.text }]);
    expect(performance.now() - begin).toBeLessThan(STALLED_MS);
    figure(`PostgreSQL back: all well after ${Math.round(performance.now() - begin)} ms`);
  }

  it.each(['stopped', 'frozen'] as const)(
    '(%s) requests are answered 503 in time, and all heals by itself',
    async (way) => {
      await gone[way]();
      try {
        await expectRefusals();
        expect(await health('ready')).toBe(503);
        expect(await health('live')).toBe(200);
        // And so it stays, not only the first time.
        await expectRefusals();
      } finally {
        await back[way]();
      }
      await expectHealth();
      // What was refused has not happened behind the client's back.
      const { body } = await patient.get<{ data: KnowledgeBase[] }>('/kbs?limit=100');
      expect(body.data.map(({ name }) => name)).not.toContain('Lost');
    },
  );

  it('no acknowledged row is lost under load, and nothing is answered but 201 and 503', async () => {
    const acknowledged: string[] = [];
    const seen = new Set<string>();
    let over = false;
    const write = async () => {
      while (!over) {
        const answer = await alice.post<KnowledgeBase>('/kbs', { name: 'Load' });
        seen.add(outcome(answer));
        if (answer.status === 201) acknowledged.push(answer.body.id);
      }
    };
    const load = Array.from({ length: 20 }, write);
    await eventually(() => acknowledged.length > 100);
    await gone.stopped();
    await eventually(() => seen.has('503 database_unavailable'));
    await back.stopped();
    const before = acknowledged.length;
    await eventually(() => acknowledged.length > before + 100);
    over = true;
    await Promise.all(load);

    expect([...seen].sort()).toEqual(['201', '503 database_unavailable']);
    const found = await inTurns(acknowledged.length, 8, (index) =>
      patient.get(`/kbs/${acknowledged[index]}`),
    );
    expect(outcomes(found)).toEqual({ '200': acknowledged.length });
    figure(`PostgreSQL away under load: 0 of ${acknowledged.length} acknowledged rows lost`);
  });

  it('a document that was being indexed becomes ready afterwards', async () => {
    const text = Array.from({ length: 2000 }, (_, n) => `Paragraph ${n}. ${DOCUMENT.text}`);
    const accepted = await patient.post<Document>(`/kbs/${kb.id}/documents`, {
      title: 'Long',
      text: text.join('\n\n'),
    });
    expect(outcome(accepted)).toBe('202');
    await gone.stopped();
    await back.stopped();
    await eventually(async () => {
      const { body } = await alice.get<Document>(`/documents/${accepted.body.id}`);
      return body.status === 'ready';
    });
    const { body } = await patient.get<{ total: number; data: { index: number }[] }>(
      `/documents/${accepted.body.id}/chunks?limit=100`,
    );
    expect(body.total).toBeGreaterThan(50);
    expect(body.data.map(({ index }) => index)).toEqual(body.data.map((_, position) => position));
  });
});
