import { beforeAll, describe, expect, it } from '@jest/globals';
import { atOnce, Client, outcome, outcomes } from './support/client.js';
import { figure } from './support/figure.js';
import { eventually } from './support/service.js';
import { newUserId, sharedService, type SharedService } from './support/shared-service.js';

const WORDS = Array.from({ length: 128 }, (_, n) => `word${n}`);
const PASSAGES = 10;
const WORDS_PER_PASSAGE = 500;
const HOSTILE_CHATS = 24;

/** Every word is a sentence, each in another order in each passage. */
const HOSTILE = Array.from({ length: PASSAGES }, (_, passage) => {
  const sentences = Array.from(
    { length: WORDS_PER_PASSAGE },
    (_, n) => `${WORDS[(n * (2 * passage + 3)) % WORDS.length]}.`,
  );
  return `# ${passage}\n\n${sentences.join(' ')}`;
}).join('\n\n');

describe('answers without a model', () => {
  let service: SharedService;
  let partner: Client;

  beforeAll(async () => {
    service = await sharedService();
    partner = new Client(service);
  });

  async function keyOf(user: string, text: string): Promise<string> {
    const owner = new Client(service, newUserId(user));
    const { id } = await owner.createKnowledgeBase();
    await owner.set(id, { chunk_size: WORDS_PER_PASSAGE, chunk_overlap: 0 });
    const document = { title: 'Text', text, mime_type: 'text/markdown' };
    expect(await owner.addDocument(id, document)).toMatchObject({ status: 'ready' });
    return (await owner.createApiKey(id)).api_key;
  }

  it('are made in turns of knowledge bases, however many one has asked for', async () => {
    const mallory = await keyOf('mallory', HOSTILE);
    const alice = await keyOf('alice', 'An order may be returned within 30 days.');
    const question = WORDS.join(' ');
    let answered = 0;
    const hostile = atOnce(HOSTILE_CHATS, async () => {
      const answer = await partner.chat(mallory, question, { top_k: PASSAGES });
      answered++;
      return answer;
    });
    await eventually(() => answered > 0);
    const begun = answered;
    expect(outcome(await partner.chat(alice, 'May an order be returned?'))).toBe('200');
    const ended = answered;
    figure(`${ended - begun} of ${HOSTILE_CHATS - begun} hostile answers came first`);
    expect(outcomes(await hostile)).toEqual({ '200': HOSTILE_CHATS });
    expect(ended - begun).toBeLessThan((HOSTILE_CHATS - begun) / 2);
  });
});
