import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { newUserId, sharedService } from '../support/shared-service.js';

const TOPICS = ['anchors', 'bridges', 'candles', 'dynamos', 'engines', 'furnaces', 'gaskets'];
const MORE_TOPICS = ['hammers', 'icons', 'jackets'];

const topicsOf = ({ sources }: { sources: { snippet: string }[] }) =>
  sources.map(({ snippet }) => /(\w+)\.$/.exec(snippet)?.[1]);

describe('sources that share with the question only words which nearly all passages have', () => {
  let alice: Client;
  let partner: Client;
  let secret: string;

  beforeAll(async () => {
    const service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
    secret = await addKnowledgeBase([...TOPICS, ...MORE_TOPICS]);
  });

  /** @returns the key of a knowledge base with a document about each topic */
  async function addKnowledgeBase(topics: readonly string[]): Promise<string> {
    const { id } = await alice.createKnowledgeBase();
    for (const title of topics) {
      await alice.addDocument(id, { title, text: `Acme sells ${title}.`, metadata: { title } });
    }
    return (await alice.createApiKey(id)).api_key;
  }

  const sources = async (message: string, more: object = {}, key = secret) => {
    const { body } = await partner.chat(key, message, { top_k: 50, ...more });
    return topicsOf(body).sort();
  };

  it('are left out beside those with a rarer word, in follow-ups too', async () => {
    const { body } = await partner.chat(secret, 'Which candles has Acme?', { top_k: 50 });
    expect(body.answered).toBe(true);
    expect(topicsOf(body)).toEqual(['candles']);
    const { conversation_id } = body;
    expect(await sources('And bridges, Acme?', { conversation_id })).not.toContain('anchors');
  });

  it('are left out when the rarer word is misspelt, and beside several', async () => {
    expect(await sources('Which candels has Acme?')).toEqual(['candles']);
    expect(await sources('Candles or bridges by Acme?')).toEqual(['bridges', 'candles']);
  });

  it('stay where the question has no rarer word', async () => {
    expect(await sources('Acme?')).toHaveLength(10);
  });

  it('answer no question whose rarer word is nowhere, or excluded by the filter', async () => {
    expect(await sources('Has Acme wombats?')).toEqual([]);
    const filter = { type: 'eq', key: 'title', value: 'anchors' };
    expect(await sources('Which candles has Acme?', { filter })).toEqual([]);
    expect(await sources('Which anchors has Acme?', { filter })).toEqual(['anchors']);
  });

  it('stay in a knowledge base of few passages', async () => {
    const few = await addKnowledgeBase(TOPICS);
    expect(await sources('Which candles has Acme?', {}, few)).toHaveLength(TOPICS.length);
  });

  it('are still results of /query, after the others', async () => {
    const { body } = await partner.query(secret, 'Which candles has Acme?', { top_k: 50 });
    const [best, ...rest] = body.results;
    expect(best?.document_title).toBe('candles');
    expect(best?.score).toBeGreaterThan(0.3);
    expect(rest).toHaveLength(9);
    for (const { score } of rest) expect(score).toBeLessThan(Number(best?.score) / 10);
  });
});
