import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, Client, outcome, type Problem } from '../support/client.js';
import { type BodyPlace, placesOf, valueOf } from '../support/body-places.js';
import {
  documentedOperations,
  openApiDocument,
  type OpenApiDocument,
  type Operation,
} from '../support/operations.js';
import { Service } from '../support/service.js';
import { newUserId } from '../support/shared-service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

/** No object, and no list of objects: lists of something else take some of them. */
const WRONG = [[[]], [null], [1], ['x'], [{}], [[[]]]];
const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_ERRORS = 100;
const MAX_FIELDS = 100;
const MAX_FREE_FORM_FIELDS = 1000;
const REFUSED = '400 validation_failed';

/** An operation that takes JSON, and a place in its body. */
interface Case {
  readonly operation: Operation;
  readonly place: BodyPlace;
}

const title = ({ operation, place }: Case) => `${operation.name} ${place.name}`;

describe('the body of every operation', () => {
  let service: Service;
  let document: OpenApiDocument;
  let cases: Case[];
  let alice: Client;
  let caller: Client;
  let tenant: Tenant;
  let address: string;
  let addresses = 0;

  beforeAll(async () => {
    service = await Service.start({ TRUSTED_PROXY_CIDRS: '127.0.0.1' });
    alice = new Client(service, newUserId('alice'));
    tenant = await createTenant({
      owner: alice,
      partner: new Client(service),
      member: newUserId('bob'),
      viewer: newUserId('carol'),
    });
    document = await openApiDocument(service);
    cases = (await documentedOperations(service)).flatMap((operation) => {
      const { requestBody } =
        document.paths[operation.path]?.[operation.method.toLowerCase()] ?? {};
      const schema = requestBody?.content['application/json']?.schema;
      // GitHub's body is signed: see github-leak-reports.
      return schema && !operation.path.endsWith('/github')
        ? placesOf(document, schema).map((place) => ({ operation, place }))
        : [];
    });
  });

  afterAll(() => service.stop());

  // 60 a minute: questions of one user in the playground, and reports of leaked keys from one address.
  beforeEach(async () => {
    const owner = newUserId('owner');
    const path = `/kbs/${String(tenant.ids['kb_id'])}/members/${owner}`;
    expect(outcome(await alice.call('PUT', path, { role: 'owner' }))).toBe('200');
    caller = new Client(service, owner);
    address = `192.0.2.${addresses++}`;
  });

  const send = ({ operation, place }: Case, value: unknown): Promise<Answer<Problem>> => {
    const { method, path, managed, protocol } = operation;
    const url = path.replace(/^\/api\/v1|^/, (base) => (base ? '' : '/../..'));
    const body = place.holding(value);
    // Dify's body names the knowledge base.
    const named =
      isObject(body) && 'knowledge_id' in body ? { knowledge_id: tenant.ids['kb_id'] } : {};
    return (managed ? caller : new Client(service)).call(
      method,
      url.replace(/\{(\w+)\}/g, (_, id: string) => String(tenant.ids[id])),
      isObject(body) ? { ...body, ...named } : body,
      {
        'x-forwarded-for': address,
        ...(!managed && { authorization: `Bearer ${tenant.secret}` }),
        ...(protocol === 'MCP' && { accept: 'application/json, text/event-stream' }),
      },
    );
  };

  const places = (...kinds: BodyPlace['kind'][]) =>
    cases.filter(({ place }) => kinds.includes(place.kind));

  it('has objects, and lists of them, at several depths', () => {
    const names = cases.map(title);
    expect(names).toEqual(
      expect.arrayContaining([
        'POST /api/v1/kbs ',
        'POST /api/v1/kbs/{kb_id}/evaluations questions',
        'POST /api/v1/kbs/{kb_id}/evaluations questions[].external_ids',
        'POST /api/v1/query filter.filters[].value',
        'POST /dify/retrieval metadata_condition.conditions[]',
        'POST /v1/chat/completions messages[].content',
      ]),
    );
  });

  it.each(WRONG.map((value) => [JSON.stringify(value), value] as const))(
    'is refused with %s instead of an object or a list of objects',
    async (_, value) => {
      const outcomes = new Map<string, string>();
      for (const one of places('object', 'list of objects')) {
        outcomes.set(title(one), outcomeOf(one, await send(one, value)));
      }
      expect([...outcomes]).toEqual([...outcomes.keys()].map((name) => [name, REFUSED]));
    },
  );

  it.each(WRONG.map((value) => [JSON.stringify(value), value] as const))(
    'is refused, or taken as a list, with %s instead of another list',
    async (_, value) => {
      for (const one of places('list')) {
        const { status, text } = await send(one, value);
        expect([title(one), text, status < 500]).toEqual([title(one), text, true]);
      }
    },
  );

  it('documents how long each list may be, and is refused with a longer one', async () => {
    for (const one of places('list', 'list of objects')) {
      const { maxItems, items = {} } = one.place.schema;
      expect([title(one), typeof maxItems]).toEqual([title(one), 'number']);
      const entry = valueOf(document, items);
      const answer = await send(one, Array(Number(maxItems) + 1).fill(entry));
      expect([title(one), outcomeOf(one, answer)]).toEqual([title(one), REFUSED]);
    }
  });

  it.each([MAX_FIELDS + 1, 2 * MAX_FREE_FORM_FIELDS])(
    'is refused with at most a hundred errors for %d unknown fields in an object',
    async (count) => {
      const fields = Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`${index}`.padStart(8, 'f'), index]),
      );
      for (const one of places('object')) {
        const value = { ...(valueOf(document, one.place.schema) as object), ...fields };
        const answer = await send(one, value);
        // Names of metadata are the client's own, up to ten times as many.
        if (isFreeForm(one) && count <= MAX_FREE_FORM_FIELDS) continue;
        expect([title(one), outcomeOf(one, answer)]).toEqual([title(one), REFUSED]);
        expect(answer.body.errors?.length ?? 0).toBeLessThanOrEqual(MAX_ERRORS);
        expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
      }
    },
  );
});

/** Metadata, and what the Model Context Protocol has in its `params`. */
const isFreeForm = ({ place }: Case) => place.schema.additionalProperties === true;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The outcome; a refusal of the Model Context Protocol's own server counts like ours. */
const outcomeOf = ({ operation }: Case, answer: Answer<Problem>): string =>
  operation.protocol === 'MCP' && answer.status === 400 ? REFUSED : outcome(answer);
