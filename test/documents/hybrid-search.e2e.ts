import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, type KnowledgeBase, outcome, type Page } from '../support/client.js';
import { EmbeddingsServer, REFUSED } from '../support/embeddings-server.js';
import { uploadFile } from '../support/files.js';
import { eventually, Service } from '../support/service.js';
import { STALLED_MS } from '../support/stalled.js';
import { sql } from '../support/sql.js';

const KEY = 'sk-embeddings-0123456789abcdef';
const VECTORS = 'SELECT passage_number FROM passage_vectors';
const DOCUMENTS = [
  { title: 'Garage', text: 'An automobile may stand here overnight.', metadata: { floor: 1 } },
  { title: 'Till', text: 'A reimbursement takes five days.', metadata: { floor: 2 } },
  { title: 'Surgery', text: 'The physician is in on Mondays.', metadata: { floor: 2 } },
  { title: 'Kitchen', text: 'Soup is served at noon.', metadata: { floor: 3 } },
];

describe('search with embeddings', () => {
  let endpoint: EmbeddingsServer;
  let service: Service;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let secret: string;

  beforeAll(async () => {
    endpoint = await EmbeddingsServer.start();
    service = await Service.start({
      EMBEDDINGS_BASE_URL: endpoint.url,
      EMBEDDINGS_MODEL: 'synonyms',
      EMBEDDINGS_API_KEY: KEY,
      // Long enough for a busy machine.
      EMBEDDINGS_TIMEOUT_MS: '60000',
    });
    alice = new Client(service, 'alice');
    partner = new Client(service);
    kbId = (await alice.createKnowledgeBase()).id;
    secret = (await alice.createApiKey(kbId)).api_key;
    for (const document of DOCUMENTS) await alice.addDocument(kbId, document);
    await untilEmbedded(DOCUMENTS.length);
  });

  // After a failure the endpoint is not asked for a while.
  beforeEach(() => eventually(async () => (await first('car')) === 'Garage'));

  afterAll(async () => {
    await service.stop();
    await endpoint.stop();
  });

  const untilEmbedded = (count: number) =>
    eventually(async () => {
      const rows = await sql(service.environment, VECTORS);
      return rows.length === count;
    });

  const ask = async (message: string, more: object = {}) => {
    const answer = await partner.query(secret, message, more);
    expect(outcome(answer)).toBe('200');
    return answer.body.results;
  };
  const first = async (message: string, more?: object) =>
    (await ask(message, more))[0]?.document_title;

  it('finds what is meant in other words', async () => {
    expect(await first('car')).toBe('Garage');
    expect(await first('money')).toBe('Till');
    expect(await first('doctor')).toBe('Surgery');
  });

  it('knows from the story what a vague question is about', async () => {
    expect(await first('Yesterday my car broke down. What am I to do with it?')).toBe('Garage');
  });

  it('gives a misspelt question to the model as it was meant', async () => {
    await ask('How many days until a REIMBURSEMNT?');
    expect(endpoint.requests.flat()).toContain('How many days until a reimbursement?');
    const before = endpoint.requests.length;
    await ask('zzreimbursement qqphysician');
    expect(endpoint.requests.slice(before).flat()).toEqual(['zzreimbursement qqphysician']);
  });

  it('puts first what words and meaning agree on', async () => {
    expect(await first('reimbursement')).toBe('Till');
    const scores = (await ask('reimbursement of money, five days')).map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((one, other) => other - one));
    expect(Number(scores[0])).toBeGreaterThan(0.9);
    expect(Number(scores[0])).toBeLessThanOrEqual(1);
  });

  it('holds to the filter, to top_k and to min_score', async () => {
    const filter = { type: 'eq', key: 'floor', value: 2 };
    const titles = (await ask('car', { filter })).map(({ document_title }) => document_title);
    expect(titles.sort()).toEqual(['Surgery', 'Till']);
    expect(await ask('car', { top_k: 1 })).toHaveLength(1);
    expect(await ask('car', { min_score: 1 })).toEqual([]);
  });

  it('knows nothing of another knowledge base', async () => {
    const { id } = await alice.createKnowledgeBase();
    const { api_key: other } = await alice.createApiKey(id);
    expect((await partner.query(other, 'car')).body.results).toEqual([]);
  });

  it('does not find what was deleted, and forgets its vector', async () => {
    const { id } = await alice.addDocument(kbId, { title: 'Lot', text: 'Vehicle, drive, car.' });
    await untilEmbedded(DOCUMENTS.length + 1);
    expect(await first('automobile to drive')).toBe('Lot');
    await alice.call('DELETE', `/documents/${id}`);
    expect(await first('automobile to drive')).toBe('Garage');
    await untilEmbedded(DOCUMENTS.length);
  });

  it('counts the passages that have a vector of the model in use', async () => {
    const { id: empty } = await alice.createKnowledgeBase();
    const counts = async (of: Service) => {
      const reader = new Client(of, 'alice');
      const { body } = await reader.get<Page<KnowledgeBase>>('/kbs?limit=100');
      const both = [kbId, empty].map(async (id) => {
        const one = (await reader.get<KnowledgeBase>(`/kbs/${id}`)).body;
        expect(body.data).toContainEqual(one);
        return [one.passages, one.vectors];
      });
      return Promise.all(both);
    };
    const all = DOCUMENTS.length;
    expect(await counts(service)).toEqual([
      [all, all],
      [0, 0],
    ]);
    endpoint.mood = 'error';
    try {
      for (const other of [{ EMBEDDINGS: 'off' }, { EMBEDDINGS_MODEL: 'another' }]) {
        const running = await Service.start({ ...service.environment, ...other });
        expect(await counts(running)).toEqual([
          [all, 0],
          [0, 0],
        ]);
        await running.stop();
      }
    } finally {
      endpoint.mood = 'well';
    }
  });

  it('sends the credential to the endpoint and nowhere else', () => {
    expect([...endpoint.credentials]).toEqual([`Bearer ${KEY}`]);
    expect(service.logs).not.toContain(KEY);
  });

  it('uses words alone, in time, while the endpoint is silent', async () => {
    // A process of its own, since the first failure makes it leave the endpoint alone.
    const other = await Service.start({
      ...service.environment,
      ...{ EMBEDDINGS_TIMEOUT_MS: '800', LOG_LEVEL: 'warn' },
    });
    try {
      endpoint.mood = 'silent';
      const questions = Array.from({ length: 5 }, () =>
        new Client(other).query(secret, 'reimbursement'),
      );
      const start = performance.now();
      const answers = await Promise.all(questions);
      expect(performance.now() - start).toBeLessThan(STALLED_MS);
      for (const { body } of answers) {
        expect(body.results.map(({ document_title }) => document_title)).toEqual(['Till']);
      }
      expect(other.logs.match(/searching by words only/g)).toHaveLength(1);
      expect(other.logs).not.toContain(KEY);
    } finally {
      endpoint.mood = 'well';
      await other.stop();
    }
  });

  it('skips a passage that the endpoint refuses, and no other', async () => {
    const before = (await sql(service.environment, VECTORS)).length;
    const text = `# One\n\nA ${REFUSED} in a bottle.\n\n# Two\n\nA vehicle.\n\n# Three\n\nA doctor.`;
    const { id } = await alice.addDocument(kbId, {
      title: 'Chest',
      text,
      mime_type: 'text/markdown',
    });
    await untilEmbedded(before + 2);
    expect((await ask('automobile')).length).toBeGreaterThan(1);
    // Without a vector it counts as if that had the rank of its words.
    const found = await ask('a bottle for the doctor');
    const refused = found.find(({ text: one }) => one.includes(REFUSED));
    expect(refused?.score).toBeGreaterThan(0.4);
    await alice.call('DELETE', `/documents/${id}`);
    await untilEmbedded(before);
  });

  it('answers from a table of which few passages have vectors yet', async () => {
    const { id } = await alice.createKnowledgeBase();
    const { api_key: key } = await alice.createApiKey(id);
    const before = (await sql(service.environment, VECTORS)).length;
    const cells = (row: number) => [
      `QH-${1000 + row}`,
      `Customer ${row}`,
      `${row * 7}.50`,
      row > 40 ? REFUSED : 'car',
    ];
    const rows = Array.from({ length: 600 }, (_, row) => cells(row).join(','));
    const text = ['Order,Customer,Amount,Carrier', ...rows].join('\n');
    await uploadFile(alice, id, { name: 'orders.csv', bytes: Buffer.from(text) });
    await eventually(async () => (await sql(service.environment, VECTORS)).length > before);
    const message = 'What is the amount of order QH-1500?';
    expect((await partner.query(key, message)).body.results[0]?.text).toContain('QH-1500');
    const { answer, answered } = (await partner.chat(key, message)).body;
    expect(answer).toContain('3500.50');
    expect(answered).toBe(true);
  });

  it('embeds later what the endpoint has left out', async () => {
    endpoint.mood = 'error';
    const text = 'A vehicle for many.';
    const { id } = await alice.addDocument(kbId, { title: 'Bus', text });
    await eventually(() => endpoint.requests.flat().some((one) => one.includes(text)));
    const made = () =>
      sql(
        service.environment,
        `${VECTORS} WHERE passage_number IN
           (SELECT number FROM passages WHERE document_id = '${id}')`,
      );
    expect(await made()).toEqual([]);
    endpoint.mood = 'well';
    await eventually(async () => (await made()).length === 1);
  });

  it('makes vectors again whose codes are too short, as an earlier version made them', async () => {
    await service.stop();
    await sql(service.environment, 'UPDATE passage_vectors SET codes = substr(codes, 1, 0)');
    service = await Service.start(service.environment);
    const shorter = () =>
      sql(service.environment, 'SELECT 1 FROM passage_vectors WHERE length(codes) = 0');
    await eventually(async () => (await shorter()).length === 0);
  });
});
