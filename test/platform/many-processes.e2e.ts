import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type Answer,
  Client,
  type Document,
  type IssuedApiKey,
  type KnowledgeBase,
  outcome,
  type Page,
} from '../support/client.js';
import { repetitions } from '../support/repetitions.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedServices } from '../support/shared-service.js';

const ALICE = newUserId('alice');
const BOB = newUserId('bob');

/** Trials that run side by side. Each uses a key, and a client token of it. */
const LANES = 10;
const CREDENTIALS = 2;
/** Requests with each that begin after the answer of process B. */
const REFUSALS = 1;
const REVOCATIONS = repetitions(20, 2000);
const DELETIONS = repetitions(10, 200);
const DELETED_KNOWLEDGE_BASES = repetitions(3, 20);
const ROUNDS = repetitions(5, 20);
const DOCUMENTS = repetitions(16, 40);
/** Below the limit of keys for one knowledge base. */
const KEYS_PER_KNOWLEDGE_BASE = 50;

type Ending = () => Promise<Answer<unknown>>;

interface Tally {
  /** Successful requests that had begun before the answer: the credentials were in use. */
  usesBefore: number;
  /** How often each outcome came for requests that began after the answer. */
  outcomesAfter: Record<string, number>;
}

// Thousands of trials are one test.
jest.setTimeout(1_200_000);

describe('two processes on one database', () => {
  let aliceOnA: Client;
  let aliceOnB: Client;
  let partnerOnA: Client;
  let partnerOnB: Client;
  let bobOnB: Client;

  beforeAll(async () => {
    const [a, b] = await sharedServices();
    aliceOnA = new Client(a, ALICE);
    aliceOnB = new Client(b, ALICE);
    bobOnB = new Client(b, BOB);
    partnerOnA = new Client(a);
    partnerOnB = new Client(b);
  });

  /** Uses the credentials on A without a pause, puts an end to them on B, and goes on a little. */
  async function trial({ api_key }: IssuedApiKey, end: Ending, tally: Tally) {
    const { client_token } = await partnerOnA.createClientToken(api_key);
    let uses = 0;
    let isEnding = false;
    let answered = false;
    let failed = false;
    /** @param inUse called once the key has worked */
    const use = async (secret: string, inUse: () => void) => {
      for (let after = 0; after < REFUSALS && !failed;) {
        const beganAfter = answered;
        const result = outcome(await partnerOnA.query(secret, 'returns'));
        if (beganAfter) {
          tally.outcomesAfter[result] = (tally.outcomesAfter[result] ?? 0) + 1;
          after++;
        } else if (result === '200') {
          uses++;
          inUse();
        } else if (!isEnding) {
          throw new Error(`Refused before its end: ${result}`);
        }
      }
    };
    const loops: Promise<void>[] = [];
    const begun = [api_key, client_token].map(
      (secret) => new Promise<void>((resolve) => loops.push(use(secret, resolve))),
    );
    const ending = async () => {
      await Promise.all(begun);
      isEnding = true;
      expect(outcome(await end())).toBe('200');
      answered = true;
    };
    await Promise.all([...loops, ending()]).finally(() => (failed = true));
    tally.usesBefore += uses;
  }

  async function trials(
    count: number,
    subject: () => Promise<{ key: IssuedApiKey; end: Ending }>,
  ): Promise<Tally & { trials: number }> {
    const tally: Tally = { usesBefore: 0, outcomesAfter: {} };
    let begun = 0;
    let done = 0;
    const lane = async () => {
      while (begun < count) {
        begun++;
        const { key, end } = await subject();
        await trial(key, end, tally);
        done++;
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return { trials: done, ...tally };
  }

  /** Makes keys on A, in new knowledge bases as the old ones fill. */
  function keyMaker(): () => Promise<IssuedApiKey> {
    let made = 0;
    let kb: Promise<KnowledgeBase> | undefined;
    return async () => {
      if (!kb || made++ % KEYS_PER_KNOWLEDGE_BASE === 0) kb = aliceOnA.createKnowledgeBase();
      return aliceOnA.createApiKey((await kb).id);
    };
  }

  const allRefused = (count: number, code: string) => ({
    trials: count,
    outcomesAfter: { [`401 ${code}`]: count * CREDENTIALS * REFUSALS },
  });

  it(`refuse on A a key revoked on B, and its tokens, from B’s answer on: ${REVOCATIONS} trials`, async () => {
    const newKey = keyMaker();
    const tally = await trials(REVOCATIONS, async () => {
      const key = await newKey();
      return { key, end: () => aliceOnB.call('PATCH', `/api-keys/${key.id}/revoke`) };
    });
    expect(tally).toMatchObject(allRefused(REVOCATIONS, 'api_key_revoked'));
    expect(tally.usesBefore).toBeGreaterThanOrEqual(REVOCATIONS * CREDENTIALS);
  });

  it(`refuse on A a key deleted on B, and its tokens, from B’s answer on: ${DELETIONS} trials`, async () => {
    const newKey = keyMaker();
    const tally = await trials(DELETIONS, async () => {
      const key = await newKey();
      return { key, end: () => aliceOnB.call('DELETE', `/api-keys/${key.id}`) };
    });
    expect(tally).toMatchObject(allRefused(DELETIONS, 'invalid_api_key'));
  });

  it(`refuse on A the keys of a knowledge base deleted on B: ${DELETED_KNOWLEDGE_BASES} trials`, async () => {
    const tally = await trials(DELETED_KNOWLEDGE_BASES, async () => {
      const kb = await aliceOnA.createKnowledgeBase();
      const key = await aliceOnA.createApiKey(kb.id);
      return { key, end: () => aliceOnB.call('DELETE', `/kbs/${kb.id}`) };
    });
    expect(tally).toMatchObject(allRefused(DELETED_KNOWLEDGE_BASES, 'invalid_api_key'));
  });

  it('accept on B at once a key created on A', async () => {
    const newKey = keyMaker();
    for (let round = 0; round < repetitions(10, 50); round++) {
      const { api_key: secret } = await newKey();
      expect(outcome(await partnerOnB.query(secret, 'returns'))).toBe('200');
    }
  });

  it('do not find on A what was deleted on B, from B’s answer on', async () => {
    const kb = await aliceOnA.createKnowledgeBase();
    const { api_key: secret } = await aliceOnA.createApiKey(kb.id);
    const found = async (client: Client) =>
      (await client.query(secret, 'penguins')).body.results.map(({ text }) => text);
    for (let round = 0; round < repetitions(3, 10); round++) {
      const text = `Penguins, round ${round}.`;
      const { id } = await aliceOnA.addDocument(kb.id, { title: 'Birds', text });
      expect([await found(partnerOnA), await found(partnerOnB)]).toEqual([[text], [text]]);
      await aliceOnB.call('DELETE', `/documents/${id}`);
      expect(await found(partnerOnA)).toEqual([]);
    }
  });

  it('index each document once, whoever took it in', async () => {
    const kb = await aliceOnA.createKnowledgeBase();
    const { api_key: secret } = await aliceOnA.createApiKey(kb.id);
    const paragraphs = Array.from(
      { length: 60 },
      (_, n) => `Penguins, part ${n}. ${'Ice. '.repeat(20)}`,
    );
    const bodies = Array.from({ length: DOCUMENTS }, (_, n) => ({
      title: `Document ${n}`,
      text: [`Marker${n} begins.`, ...paragraphs].join('\n\n'),
    }));
    const accepted = await Promise.all(
      bodies.map((body, n) =>
        (n % 2 === 0 ? aliceOnA : aliceOnB).post<Document>(`/kbs/${kb.id}/documents`, body),
      ),
    );
    expect(accepted.map(outcome)).toEqual(bodies.map(() => '202'));
    const list = `/kbs/${kb.id}/documents?limit=100`;
    await eventually(
      async () =>
        (await aliceOnA.get<Page<Document>>(`${list}&status=ready`)).body.total === DOCUMENTS,
    );

    const { data } = (await aliceOnB.get<Page<Document>>(list)).body;
    for (const { id, title, attempts, chunk_count } of data) {
      const passages = (
        await aliceOnB.get<Page<{ id: string; index: number }>>(`/documents/${id}/chunks?limit=100`)
      ).body.data;
      expect(chunk_count).toBeGreaterThan(2);
      expect({ attempts, positions: passages.map(({ index }) => index) }).toEqual({
        attempts: 1,
        positions: Array.from({ length: chunk_count }, (_, position) => position),
      });
      const marker = title.replace('Document ', 'marker');
      const { results } = (await partnerOnB.query(secret, marker, { top_k: 50 })).body;
      expect(results.map(({ chunk_id }) => chunk_id)).toEqual([passages[0]?.id]);
    }
    const { body } = await aliceOnA.get<KnowledgeBase>(`/kbs/${kb.id}`);
    expect(body).toMatchObject({
      document_count: DOCUMENTS,
      chunk_count: data.reduce((sum, { chunk_count }) => sum + chunk_count, 0),
    });
  });

  it('keep an owner when the last two leave at once, one through each', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await aliceOnA.createKnowledgeBase();
      await aliceOnA.call('PUT', `/kbs/${id}/members/${BOB}`, { role: 'owner' });
      const answers = await Promise.all([
        aliceOnA.call('DELETE', `/kbs/${id}/members/${ALICE}`),
        bobOnB.call('DELETE', `/kbs/${id}/members/${BOB}`),
      ]);
      expect(answers.map(outcome).sort()).toEqual(['200', '409 last_owner']);
    }
  });

  it('take in the same bytes once when they come to both at once', async () => {
    const kb = await aliceOnA.createKnowledgeBase();
    for (let round = 0; round < ROUNDS; round++) {
      const body = { title: 'Twice', text: `The same bytes, round ${round}.` };
      const answers = await Promise.all(
        [aliceOnA, aliceOnB, aliceOnA, aliceOnB, aliceOnA, aliceOnB].map((client) =>
          client.post(`/kbs/${kb.id}/documents`, body),
        ),
      );
      expect(answers.map(outcome).sort()).toEqual([
        '202',
        ...Array.from({ length: 5 }, () => '409 duplicate_document'),
      ]);
    }
  });
});
