import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChatAnswer, Client } from '../../../test/support/client.js';
import { EmbeddingsServer } from '../../../test/support/embeddings-server.js';
import { eventually, Service } from '../../../test/support/service.js';

describe('gaps by their meaning', () => {
  let embeddings: EmbeddingsServer;
  let service: Service;
  let alice: Client;
  let kbId: string;
  let secret: string;

  beforeAll(async () => {
    embeddings = await EmbeddingsServer.start();
    service = await Service.start({
      EMBEDDINGS_BASE_URL: embeddings.url,
      EMBEDDINGS_MODEL: 'synonyms',
      EMBEDDINGS_API_KEY: 'secret',
      // Long enough for a busy machine.
      EMBEDDINGS_TIMEOUT_MS: '60000',
    });
    alice = new Client(service, 'alice');
  });
  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
    secret = (await alice.createApiKey(kbId)).api_key;
  });
  afterAll(async () => {
    await service.stop();
    await embeddings.stop();
  });

  const ask = async (message: string): Promise<ChatAnswer> =>
    (await new Client(service).chat(secret, message)).body;
  const gaps = (signal?: AbortSignal) => {
    const headers = { 'x-idp-user-id': 'alice' };
    return fetch(`${service.url}/api/v1/kbs/${kbId}/gaps`, { headers, signal: signal ?? null });
  };
  const listed = async () =>
    (await alice.get<{ data: object[]; grouped_by: string }>(`/kbs/${kbId}/gaps`)).body;

  describe('that many ask for at once', () => {
    let open: () => void;
    /** A process keeps the vectors of what it has seen. */
    let question = 'May I drive there?';
    let began: number;
    const embedded = () =>
      embeddings.requests.slice(began).filter((some) => some.includes(question)).length;

    beforeEach(async () => {
      await ask('Is there soup?');
      // After a failure the endpoint is not asked for a while.
      await eventually(async () => (await (await gaps()).text()).includes('"meaning"'));
      question = question.replace('drive', 'drive and drive');
      await ask(question);
      embeddings.gate = new Promise((resolve) => (open = resolve));
      began = embeddings.requests.length;
    });
    afterEach(() => {
      open();
      embeddings.gate = Promise.resolve();
    });

    it('are embedded once, and what is too much is refused', async () => {
      const statuses: number[] = [];
      const all = Array.from({ length: 12 }, async () => {
        const { status } = await gaps();
        statuses.push(status);
      });
      // One is being made, eight wait.
      await eventually(() => statuses.length === 3);
      expect(statuses).toEqual([429, 429, 429]);
      open();
      await Promise.all(all);
      expect(statuses.slice(3)).toEqual(Array.from({ length: 9 }, () => 200));
      expect(embedded()).toBe(1);
    });

    it('are made for the next who asks when the first has left', async () => {
      const leaving = new AbortController();
      const left = gaps(leaving.signal);
      await eventually(() => embedded() === 1);
      const next = gaps();
      leaving.abort();
      await expect(left).rejects.toThrow();
      await eventually(() => embedded() === 2);
      open();
      expect(await (await next).json()).toMatchObject({ grouped_by: 'meaning' });
    });
  });

  it('are one where the meaning of their questions is', async () => {
    for (const message of [
      'Where may I park my car?',
      'Who repairs my vehicle?',
      'How do I get a refund?',
    ]) {
      expect(await ask(message)).toMatchObject({ answered: false });
    }
    expect(await listed()).toMatchObject({
      grouped_by: 'meaning',
      data: [{ count: 2 }, { count: 1, question: 'How do I get a refund?' }],
    });
    const before = embeddings.texts;
    await listed();
    expect(embeddings.texts).toBe(before);

    // Without its model they are grouped by words, from the next question on that it has not seen.
    embeddings.mood = 'error';
    await ask('Is there a physician?');
    expect(await listed()).toMatchObject({
      grouped_by: 'words',
      data: [1, 2, 3, 4].map(() => ({})),
    });
    embeddings.mood = 'well';
  });
});
