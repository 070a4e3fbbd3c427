import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChatStream } from '../support/chat-stream.js';
import { Client, outcome } from '../support/client.js';
import { figure } from '../support/figure.js';
import { ModelServer, saysAndHangs } from '../support/model-server.js';
import { repetitions } from '../support/repetitions.js';
import { eventually, Service } from '../support/service.js';
import { STALLED_MS } from '../support/stalled.js';

const STREAMS = repetitions(40, 200);
const OPENED_AT_ONCE = 10;
const QUESTION = 'How much does the director earn?';
const SAID = 'Nine thousand';

describe(`${STREAMS} answers that are being written`, () => {
  let model: ModelServer;
  let service: Service;
  let alice: Client;
  let kbId: string;
  let documentId: string;
  let apiKey: string;

  beforeAll(async () => {
    model = await ModelServer.start();
    model.behave = saysAndHangs(SAID);
    service = await Service.start({
      ...model.environment,
      LLM_TIMEOUT_MS: '300000',
    });
    alice = new Client(service, 'alice');
    ({ id: kbId } = await alice.createKnowledgeBase());
    ({ api_key: apiKey } = await alice.createApiKey(kbId, { rate_limit_per_minute: 1_000_000 }));
    ({ id: documentId } = await alice.addDocument(kbId, {
      ...{ title: 'Salaries', text: 'The director earns nine thousand euros.' },
      access: { allow: ['everyone'] },
    }));
    await alice.call('PUT', `/kbs/${kbId}/members/group:staff`, { role: 'viewer' });
  });

  afterAll(async () => {
    await service.stop();
    await model.stop();
  });

  const openAll = async (open: (person: string) => Promise<ChatStream>) => {
    const streams: ChatStream[] = [];
    for (let first = 0; first < STREAMS; first += OPENED_AT_ONCE) {
      const some = Array.from({ length: OPENED_AT_ONCE }, (_, n) => open(`person-${first + n}`));
      streams.push(...(await Promise.all(some)));
    }
    await eventually(() => streams.every(({ text }) => text === SAID), 60_000);
    return streams;
  };

  const endOf = async (streams: readonly ChatStream[]) => {
    const at = performance.now();
    await Promise.all(streams.map((stream) => stream.done()));
    const took = performance.now() - at;
    figure(`${streams.length} streams ended within ${Math.round(took)} ms`);
    expect(took).toBeLessThan(STALLED_MS);
    return new Set(streams.map(({ error }) => error?.code));
  };

  it('end soon once their readers are no longer members', async () => {
    const streams = await openAll((person) =>
      ChatStream.open(
        service,
        { message: QUESTION },
        { 'x-idp-user-id': person, 'x-idp-groups': JSON.stringify(['staff']) },
        `/kbs/${kbId}/chat`,
      ),
    );
    const left = await alice.call('DELETE', `/kbs/${kbId}/members/group:staff`);
    expect(outcome(left)).toBe('200');
    expect(await endOf(streams)).toEqual(new Set(['not_found']));
  }, 180_000);

  it('end soon once what they rest on is closed', async () => {
    const streams = await openAll(async (person) => {
      const { client_token } = await alice.createClientToken(apiKey, person);
      return ChatStream.open(service, { api_key: client_token, message: QUESTION });
    });
    const closed = await alice.call('PATCH', `/documents/${documentId}`, { access: { allow: [] } });
    expect(outcome(closed)).toBe('200');
    expect(await endOf(streams)).toEqual(new Set(['access_changed']));
  }, 180_000);
});
