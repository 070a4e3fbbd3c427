import fc from 'fast-check';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ChatAnswer,
  Client,
  type Document,
  type IssuedApiKey,
  type Page,
  type QueryAnswer,
} from './support/client.js';
import { eventually } from './support/service.js';
import { newUserId, sharedService, type SharedService } from './support/shared-service.js';

type Metadata = Record<string, unknown>;
type Filter =
  | { type: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'; key: string; value: unknown }
  | { type: 'in' | 'nin'; key: string; value: unknown[] }
  | { type: 'and' | 'or'; filters: Filter[] };

const RUNS = 25;
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
  let restricted: IssuedApiKey;
  const metadataOf = new Map<string, Metadata>();

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
    const { id: kbId } = await alice.createKnowledgeBase();
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

  it('is exactly what meets the key’s filter, the token’s and the request’s', async () => {
    await fc.assert(
      fc.asyncProperty(
        filter,
        fc.option(filter, { nil: undefined }),
        fc.option(filter, { nil: undefined }),
        async (ofKey, ofToken, ofRequest) => {
          const patched = await alice.call('PATCH', `/api-keys/${restricted.id}`, {
            filter: ofKey,
          });
          expect(patched.status).toBe(200);
          const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
          const { body: made } = await partner.post<{ client_token: string }>(
            '/client-tokens',
            { end_user_id: 'customer-1', filter: ofToken ?? null },
            bearer(restricted.api_key),
          );
          const asked = { message: QUESTION, top_k: 50, ...(ofRequest && { filter: ofRequest }) };
          const [found, byToken, chat, listed] = await Promise.all([
            partner.post<QueryAnswer>('/query', asked, bearer(restricted.api_key)),
            partner.post<QueryAnswer>('/query', asked, bearer(made.client_token)),
            partner.post<ChatAnswer>('/chat', asked, bearer(made.client_token)),
            partner.call<Page<Document>>(
              'GET',
              '/ingest/documents?limit=100',
              undefined,
              bearer(restricted.api_key),
            ),
          ]);
          const ids = (rows: { document_id: string }[]) =>
            [...new Set(rows.map((row) => row.document_id))].sort();
          expect(ids(found.body.results)).toEqual(matching(ofKey, ofRequest));
          const allowed = matching(ofKey, ofToken, ofRequest);
          expect(ids(byToken.body.results)).toEqual(allowed);
          expect(allowed).toEqual(expect.arrayContaining(ids(chat.body.sources)));
          expect(listed.body.data.map(({ id }) => id).sort()).toEqual(matching(ofKey));
        },
      ),
      { numRuns: RUNS },
    );
  });
});
