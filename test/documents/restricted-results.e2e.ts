import fc from 'fast-check';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Document, type IssuedApiKey, type Page } from '../support/client.js';
import { documentsOf, Doors, type Told } from '../support/doors.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';
import { repetitions } from '../support/repetitions.js';

type Metadata = Record<string, unknown>;
type Filter =
  | { type: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'; key: string; value: unknown }
  | { type: 'in' | 'nin'; key: string; value: unknown[] }
  | { type: 'and' | 'or'; filters: Filter[] };

const RUNS = repetitions(10, 50);
/** Fewer: each asks through seven doors. */
const ANSWER_RUNS = repetitions(5, 25);
const QUESTION = 'How long may customers return an order?';
const VALUES = ['de', 'en', 'ß', 1, 2, 2.5, true, false] as const;
const KEYS = ['language', 'year', 'tags'] as const;

const value = fc.constantFrom(...VALUES);
const key = fc.constantFrom(...KEYS);
const comparison: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ type: fc.constantFrom('eq', 'ne'), key, value }),
  fc.record({
    type: fc.constantFrom('gt', 'gte', 'lt', 'lte'),
    key,
    value: value.filter((one) => typeof one !== 'boolean'),
  }),
  fc.record({
    type: fc.constantFrom('in', 'nin'),
    key,
    value: fc.array(value, { minLength: 1, maxLength: 3 }),
  }),
);
const compound = (of: fc.Arbitrary<Filter>): fc.Arbitrary<Filter> =>
  fc.record({
    type: fc.constantFrom('and', 'or'),
    filters: fc.array(of, { minLength: 1, maxLength: 3 }),
  });
const filter = fc.oneof(comparison, compound(comparison), compound(compound(comparison)));

/** Met by every document. */
const NO_FRENCH: Filter = { type: 'ne', key: 'language', value: 'fr' };

/** What the contract says of filters, by hand. */
function meets(metadata: Metadata, one: Filter): boolean {
  switch (one.type) {
    case 'and':
      return one.filters.every((part) => meets(metadata, part));
    case 'or':
      return one.filters.some((part) => meets(metadata, part));
    case 'ne':
      return !meets(metadata, { ...one, type: 'eq' });
    case 'nin':
      return !meets(metadata, { ...one, type: 'in' });
    default: {
      const stored = metadata[one.key];
      const entries: unknown[] = Array.isArray(stored) ? stored : [stored];
      return entries.some((entry) => compares(entry, one));
    }
  }
}

function compares(entry: unknown, one: Filter): boolean {
  if (one.type === 'in') return one.value.includes(entry);
  if (one.type === 'eq') return one.value === entry;
  if (!('key' in one) || typeof entry !== typeof one.value) return false;
  const [a, b] = [entry as string, one.value as string];
  return { gt: a > b, gte: a >= b, lt: a < b, lte: a <= b }[one.type as 'gt'];
}

describe('what a restricted credential gets', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let restricted: IssuedApiKey;
  const metadataOf = new Map<string, Metadata>();

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
    kbId = (await alice.createKnowledgeBase()).id;
    // Whatever the passages speak of, so that there are answers to hold against the filters.
    await alice.set(kbId, { answer_threshold: 0 });
    const stored: Metadata[] = [
      {},
      ...VALUES.map((one) => ({ language: one })),
      ...VALUES.map((one) => ({ year: one, language: 'de' })),
      ...VALUES.map((one) => ({ tags: [one, 'en', 2], year: 1 })),
      { tags: [], language: ['de', 'en'] },
    ];
    for (const [index, metadata] of stored.entries()) {
      const text = `Customers may return order number ${index} within ${index + 10} days.`;
      const title = `Returns ${index}`;
      const document = { title, text, metadata };
      const { status, body } = await alice.post<Document>(`/kbs/${kbId}/documents`, document);
      expect(status).toBe(202);
      metadataOf.set(body.id, metadata);
    }
    await eventually(async () => {
      const { body } = await alice.get<Page<Document>>(`/kbs/${kbId}/documents?status=ready`);
      return body.total === stored.length;
    }, 120_000);
    restricted = await alice.createApiKey(kbId, { scopes: ['query', 'chat', 'documents:read'] });
  });

  const matching = (...filters: (Filter | undefined)[]) =>
    [...metadataOf]
      .filter(([, metadata]) => filters.every((one) => one === undefined || meets(metadata, one)))
      .map(([id]) => id)
      .sort();

  /** The documents that an answer tells of: its sources, and those whose text it quotes. */
  const toldOf = ({ text, sources }: Told) => {
    const quoted = [...text.matchAll(/order number (\d+)/g)].map(([, number]) => Number(number));
    const ids = [...metadataOf.keys()];
    return [...documentsOf(sources), ...quoted.map((number) => ids[number])];
  };

  /** Restricts the key, and makes a token of it that is restricted once more. */
  async function restrict(ofKey: Filter, ofToken: Filter | undefined): Promise<string> {
    const path = `/api-keys/${restricted.id}`;
    expect((await alice.call('PATCH', path, { filter: ofKey })).status).toBe(200);
    const body = { end_user_id: 'customer-1', filter: ofToken ?? null };
    const made = await partner.post<{ client_token: string }>('/client-tokens', body, {
      authorization: `Bearer ${restricted.api_key}`,
    });
    return made.body.client_token;
  }

  const optional = fc.option(filter, { nil: undefined });

  it('is exactly what meets the key’s filter, the token’s and the request’s', async () => {
    await fc.assert(
      fc.asyncProperty(filter, optional, optional, async (ofKey, ofToken, ofRequest) => {
        const token = await restrict(ofKey, ofToken);
        const [byKey, byToken, listed] = await Promise.all([
          new Doors(service, kbId, restricted.api_key).search(QUESTION, ofRequest),
          new Doors(service, kbId, token).search(QUESTION, ofRequest),
          partner.call<Page<Document>>('GET', '/ingest/documents?limit=100', undefined, {
            authorization: `Bearer ${restricted.api_key}`,
          }),
        ]);
        const all = (ids: string[]) => ({ query: ids, 'MCP search': ids, 'vector store': ids });
        expect(byKey).toEqual(all(matching(ofKey, ofRequest)));
        expect(byToken).toEqual(all(matching(ofKey, ofToken, ofRequest)));
        expect(listed.body.data.map(({ id }) => id).sort()).toEqual(matching(ofKey));
      }),
      { numRuns: RUNS },
    );
  });

  it('is never more than that in answers, streams and history, by whichever door', async () => {
    /** Doors by which something was told. */
    const telling = new Set<string>();
    const requireWithin = (allowed: string[], door: string, answer: Told) => {
      expect([door, allowed]).toEqual([door, expect.arrayContaining(toldOf(answer))]);
      if (answer.sources.length > 0) telling.add(door);
    };
    await fc.assert(
      fc.asyncProperty(filter, optional, optional, async (ofKey, ofToken, ofRequest) => {
        const doors = new Doors(service, kbId, await restrict(ofKey, ofToken));
        // Met by every document, so that nothing but the credential restricts the result.
        const widest = {
          logical_operator: 'or',
          conditions: ['is', 'is not'].map((comparison_operator) => ({
            ...{ name: ['language'], comparison_operator, value: 'de' },
          })),
        };
        const [answered, retrieved, told] = await Promise.all([
          doors.ask(QUESTION, ofRequest),
          doors.retrieve(QUESTION, widest),
          doors.askWithoutFilter(QUESTION),
        ]);
        const ofCredential = matching(ofKey, ofToken);
        expect(retrieved).toEqual(ofCredential);
        const stored = await alice.messages(answered.conversationId);
        const history = stored
          .filter(({ role }) => role === 'assistant')
          .map(({ content, sources }): [string, Told] => ['history', { text: content, sources }]);
        const allowed = matching(ofKey, ofToken, ofRequest);
        for (const [door, answer] of [...Object.entries(answered.told), ...history]) {
          requireWithin(allowed, door, answer);
        }
        for (const [door, answer] of Object.entries(told)) {
          requireWithin(ofCredential, door, answer);
        }
      }),
      { numRuns: ANSWER_RUNS, examples: [[NO_FRENCH, undefined, NO_FRENCH]] },
    );
    expect([...telling].sort()).toEqual([
      ...['MCP ask', 'chat', 'chat, continued', 'chat, end of the stream', 'chat, streamed'],
      ...['completion', 'completion, streamed', 'history'],
    ]);
  });
});
