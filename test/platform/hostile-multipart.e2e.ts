import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, Client, outcome, type Problem } from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const DEPTH = 30_000;
const NESTED = {
  lists: '['.repeat(DEPTH) + ']'.repeat(DEPTH),
  objects: `${'{"a":'.repeat(DEPTH / 3)}1${'}'.repeat(DEPTH / 3)}`,
};

describe('a multipart part of JSON', () => {
  let service: SharedService;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    kbId = (await alice.createKnowledgeBase()).id;
  });

  async function send(field: string, json: string): Promise<Answer<Problem>> {
    const form = new FormData();
    form.append(field, new Blob([json], { type: 'application/json' }));
    form.append('file', new Blob(['Open at nine.']), 'opening.txt');
    const body = new Response(form);
    return alice.call('POST', `/kbs/${kbId}/documents`, new Uint8Array(await body.arrayBuffer()), {
      'content-type': String(body.headers.get('content-type')),
      'idempotency-key': crypto.randomUUID(),
    });
  }

  const fields = ['title', 'external_id', 'on_duplicate', 'metadata', 'colour'];
  it.each(fields.flatMap((field) => Object.keys(NESTED).map((form) => [field, form] as const)))(
    'is refused if nested without end: %s of %s',
    async (field, form) => {
      const answer = await send(field, NESTED[form as keyof typeof NESTED]);
      expect(outcome(answer)).toBe('400 validation_failed');
    },
  );

  it('is taken as text if it is a JSON string', async () => {
    expect(await send('title', '"Opening hours"')).toMatchObject({
      status: 202,
      body: { title: 'Opening hours' },
    });
  });
});
