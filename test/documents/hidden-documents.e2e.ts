import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Document, outcome } from '../support/client.js';
import { EmbeddingsServer } from '../support/embeddings-server.js';
import { COLLECTION } from '../support/ranked-collection.js';
import { isThorough, repetitions } from '../support/repetitions.js';
import { eventually, Service } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';
import { sql } from '../support/sql.js';

const ROUNDS = repetitions(1, 20);
const VISIBLE = { audience: 'customers' };
const HIDDEN = { audience: 'staff' };

const FILTER = { type: 'eq', key: 'audience', value: 'customers' };

const SOURCES = [
  ...COLLECTION,
  {
    title: 'Rückgabe',
    text: 'Kunden können jede Bestellung innerhalb von dreißig Tagen zurückgeben.',
  },
  { title: 'Връщане', text: 'Клиентите могат да върнат всяка поръчка в срок от тридесет дни.' },
  {
    title: 'Connections',
    text: 'The charger is connected to the mains, and a doctor to the till.',
  },
  // These have equal scores, so that only their order tells them apart.
  ...[1, 2, 3].map((n) => ({ title: `Lamp ${n}`, text: `A lamp shines, number ${n}.` })),
];

const QUESTIONS = [
  'How long may customers return an order?',
  'Where are bicycles repaired, and which warranty do they have?',
  // Misspelt: words of visible documents, of hidden ones, and of both with the same stem.
  'refnud of a batery',
  'conection of the chargr',
  'salery of the mechanik',
  'lamp',
  'Wann kann man eine Bestellung zurückgeben?',
  'bicyclerepairs',
  'в какъв срок се връща поръчка',
  'the and of a',
  'payroll',
];

/** What hidden documents are made of: words of the questions, correct, misspelt and in other forms. */
const WORDS = [
  ...QUESTIONS.flatMap((question) => question.split(/\W+/)),
  ...COLLECTION.flatMap(({ text }) => text.split(/\W+/)).slice(0, 60),
  ...[
    'connection',
    'connections',
    'connecting',
    'charger',
    'salary',
    'mechanic',
    'refund',
    'battery',
  ],
  ...[
    'automobile',
    'physician',
    'reimbursement',
    'payroll',
    'поръчката',
    'Bestellungen',
    'the',
    'the',
  ],
].filter((word) => word !== '');
const hiddenText = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...WORDS), { minLength: 3, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom(...SOURCES).map(({ text }) => [text]) },
);
const hiddenDocument = fc.record({
  title: fc.constantFrom('Staff', 'Refunds', 'Returns', ...WORDS),
  text: hiddenText.map((words) => words.join(' ')),
  language: fc.constantFrom(undefined, 'de', 'bg', 'fr', 'tr', 'vi'),
});

/** What opens a document, and what hides it. */
const WAYS = {
  'a filter': { opening: { metadata: VISIBLE }, hiding: { metadata: HIDDEN }, filter: FILTER },
  'a rule': {
    opening: { access: { allow: ['everyone'], deny: ['group:staff'] } },
    hiding: { access: { allow: ['group:staff', 'user:alice'] } },
    filter: undefined,
  },
} as const;

/** Each way and each search once, and where there is time all of them. */
const COMBINATIONS = [
  ['a filter', 'words'],
  ['a rule', 'words and vectors'],
  ...(isThorough
    ? ([
        ['a filter', 'words and vectors'],
        ['a rule', 'words'],
      ] as const)
    : []),
] as const;

describe.each(COMBINATIONS)('documents that %s hides, searched by %s', (way, by) => {
  const { opening, hiding, filter } = WAYS[way];
  let endpoint: EmbeddingsServer | undefined;
  let own: Service | undefined;
  let service: Service | SharedService;
  let alice: Client;
  let kbId: string;
  let secrets: string[];

  beforeAll(async () => {
    if (by === 'words') service = await sharedService();
    else {
      endpoint = await EmbeddingsServer.start();
      const environment = {
        ...{ EMBEDDINGS_BASE_URL: endpoint.url, EMBEDDINGS_MODEL: 'synonyms' },
        // A question whose vector came too late would be answered by words alone.
        EMBEDDINGS_TIMEOUT_MS: '60000',
      };
      service = own = await Service.start(environment);
    }
    alice = new Client(service, newUserId('alice'));
    kbId = (await alice.createKnowledgeBase()).id;
    for (const source of SOURCES) {
      await alice.addDocument(kbId, { ...source, ...opening });
    }
    // Whether anything is hidden at all is no secret: without rules, search takes a shorter way.
    await alice.addDocument(kbId, { title: 'Staff', text: 'Of old.', ...hiding });
    const scopes = ['query', 'chat', 'documents:read'];
    const restricted = { scopes, ...(filter && { filter }) };
    const { api_key: secret } = await alice.createApiKey(kbId, restricted);
    const { api_key: unrestricted } = await alice.createApiKey(kbId);
    const { body } = await alice.post<{ client_token: string }>(
      '/client-tokens',
      { end_user_id: 'customer-1', ...(filter && { filter }) },
      { authorization: `Bearer ${unrestricted}` },
    );
    secrets = [secret, body.client_token];
    await untilEmbedded();
  });

  afterAll(async () => {
    await own?.stop();
    await endpoint?.stop();
  });

  const untilEmbedded = async () => {
    if (!own) return;
    const { environment } = own;
    await eventually(async () => {
      const rows = await sql(
        environment,
        `SELECT number FROM passages WHERE number NOT IN (SELECT passage_number FROM passage_vectors)`,
      );
      return rows.length === 0;
    });
  };

  /** All that each door answers, but for what is new in every answer. */
  const answers = async (secret: string): Promise<Record<string, string>> => {
    const told: Record<string, string> = {};
    const ask = async (door: string, path: string, body: object) => {
      const response = await fetch(service.url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(body),
      });
      expect([door, response.status]).toEqual([door, 200]);
      told[door] = constantPartOf(await response.text());
    };
    const call = (name: string, given: object) => ({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
    });
    for (const question of QUESTIONS) {
      const messages = [{ role: 'user', content: question }];
      const everything = { type: 'ne', key: 'audience', value: 'nobody' };
      const query = { message: question, top_k: 50 };
      const setting = { retrieval_setting: { top_k: 50, score_threshold: 0 } };
      await Promise.all([
        ask(`query ${question}`, '/api/v1/query', query),
        ask(`query, filtered ${question}`, '/api/v1/query', { ...query, filter: everything }),
        ask(`chat ${question}`, '/api/v1/chat', { message: question }),
        ask(`stream ${question}`, '/api/v1/chat', { message: question, stream: true }),
        ask(`search ${question}`, '/mcp', call('search', { query: question, top_k: 50 })),
        ask(`ask ${question}`, '/mcp', call('ask', { question })),
        ask(`completion ${question}`, '/v1/chat/completions', { model: 'latchkey', messages }),
        ask(`store ${question}`, `/v1/vector_stores/${kbId}/search`, { query: question }),
        ask(`dify ${question}`, '/dify/retrieval', {
          ...{ knowledge_id: kbId, query: question, ...setting },
        }),
      ]);
    }
    return told;
  };

  it('change no byte of any answer, whether they are added, changed or removed', async () => {
    const before = await Promise.all(secrets.map(answers));
    // Otherwise nothing could have been changed.
    const found = QUESTIONS.filter((one) => before[0]?.[`query ${one}`]?.includes('"score"'));
    expect(found.length).toBeGreaterThanOrEqual(8);
    const listed = () =>
      alice.call('GET', '/ingest/documents?limit=100', undefined, {
        authorization: `Bearer ${String(secrets[0])}`,
      });
    const list = (await listed()).text;
    let hidden: Document[] = [];
    // A text that came twice would be a duplicate.
    let serial = 0;
    const compare = async (what: string) => {
      await untilEmbedded();
      for (const [index, secret] of secrets.entries()) {
        const now = await answers(secret);
        for (const [door, told] of Object.entries(before[index] ?? {})) {
          expect(`${what}, ${door}: ${now[door] ?? ''}`).toBe(`${what}, ${door}: ${told}`);
        }
      }
      expect((await listed()).text).toBe(list);
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(hiddenDocument, { minLength: 3, maxLength: 8 }),
        async (documents) => {
          const added = await Promise.all(
            documents.map((document) =>
              alice.addDocument(kbId, {
                ...{ ...document, text: `${document.text} ${serial++}` },
                ...hiding,
                external_id: newUserId('hidden'),
              }),
            ),
          );
          hidden.push(...added);
          await compare('added');
          const [first, ...others] = hidden;
          if (!first) throw new Error('Nothing was added');
          const edited = await alice.call('PATCH', `/documents/${first.id}`, {
            title: 'conection lamp',
          });
          expect(outcome(edited)).toBe('200');
          await alice.readDocument(first.id);
          await compare('changed');
          await alice.call('DELETE', `/documents/${first.id}`);
          hidden = others;
          await compare('removed');
        },
      ),
      { numRuns: ROUNDS, endOnFailure: true },
    );
  });
});

/** Without ids of the answer itself, and times. In the text of a tool's result, quotes are escaped. */
const constantPartOf = (text: string): string =>
  text
    .replace(/\b(?:query|conv|msg|chatcmpl)[_-]\w+/g, '')
    .replace(/\\?"(?:latency_ms|created)\\?":\d+/g, '');
