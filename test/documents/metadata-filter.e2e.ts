import fc from 'fast-check';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type MetadataFilter, matchesFilter } from '@latchkey/ranking/metadata-filter';
import { Client, type Document, outcome, type Problem } from '../support/client.js';
import { repetitions } from '../support/repetitions.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const eq = (key: string, value: unknown) => ({ type: 'eq', key, value });

/** What is asked of these documents, each of which says "penguin". */
const DOCUMENTS: Record<string, Record<string, unknown>> = {
  'support-2024': { department: 'support', year: 2024, date: '2024-03-01', public: true },
  'support-2026': { department: 'support', year: 2026, date: '2026-01-31', public: false },
  'sales-2026': { department: 'sales', year: 2026, date: '2026-11-20', tags: ['new', 'eu', 7] },
  'text-year': { department: 'Sales', year: '2026', 'a.b': 1, a: { b: 2 } },
  odd: { "quote'": 'x" || true', 'back\\slash': '$[*]', __proto__x: null, 退货: '政策', empty: [] },
  nested: { tags: [['eu', 7], { eu: 'eu' }, null], year: [[2026]], department: { sales: 'sales' } },
  bare: {},
};
const ALL = Object.keys(DOCUMENTS);

const MATCHES: [filter: object, documents: string[]][] = [
  [eq('department', 'support'), ['support-2024', 'support-2026']],
  [eq('department', 'Sales'), ['text-year']],
  [eq('year', 2026), ['support-2026', 'sales-2026']],
  [eq('year', 2026.0), ['support-2026', 'sales-2026']],
  [eq('year', '2026'), ['text-year']],
  [eq('public', true), ['support-2024']],
  [eq('public', 'true'), []],
  [eq('tags', 'eu'), ['sales-2026']],
  [eq('tags', 7), ['sales-2026']],
  [eq('tags', '7'), []],
  [eq('a.b', 1), ['text-year']],
  [eq('a', 2), []],
  [eq("quote'", 'x" || true'), ['odd']],
  [eq('back\\slash', '$[*]'), ['odd']],
  [eq('退货', '政策'), ['odd']],
  [eq('toString', 'x'), []],
  [
    { type: 'ne', key: 'department', value: 'support' },
    ['sales-2026', 'text-year', 'odd', 'nested', 'bare'],
  ],
  [{ type: 'ne', key: 'year', value: '2026' }, ALL.filter((name) => name !== 'text-year')],
  [{ type: 'ne', key: 'tags', value: 'eu' }, ALL.filter((name) => name !== 'sales-2026')],
  [{ type: 'gt', key: 'year', value: 2024 }, ['support-2026', 'sales-2026']],
  [{ type: 'gte', key: 'year', value: 2024 }, ['support-2024', 'support-2026', 'sales-2026']],
  [{ type: 'lt', key: 'year', value: 2025.5 }, ['support-2024']],
  [{ type: 'lte', key: 'year', value: -1 }, []],
  [{ type: 'gt', key: 'date', value: '2026' }, ['support-2026', 'sales-2026']],
  [{ type: 'lt', key: 'date', value: '2026-02' }, ['support-2024', 'support-2026']],
  [{ type: 'gt', key: 'department', value: 'a' }, ['support-2024', 'support-2026', 'sales-2026']],
  [{ type: 'gt', key: 'public', value: 0 }, []],
  [{ type: 'gt', key: 'tags', value: 6 }, ['sales-2026']],
  [{ type: 'gte', key: 'empty', value: '' }, []],
  [{ type: 'in', key: 'department', value: ['sales', 'hr', true] }, ['sales-2026']],
  [{ type: 'in', key: 'year', value: ['2024', 2026] }, ['support-2026', 'sales-2026']],
  [
    { type: 'nin', key: 'department', value: ['sales', 'support'] },
    ['text-year', 'odd', 'nested', 'bare'],
  ],
  [{ type: 'nin', key: 'empty', value: [0] }, ALL],
  [{ type: 'and', filters: [eq('department', 'support'), eq('year', 2026)] }, ['support-2026']],
  [
    { type: 'or', filters: [eq('year', 2024), { type: 'and', filters: [eq('tags', 'new')] }] },
    ['support-2024', 'sales-2026'],
  ],
  [{ type: 'and', filters: Array.from({ length: 20 }, () => eq('year', 2024)) }, ['support-2024']],
];

interface Change {
  readonly of: number;
  readonly how: 'metadata' | 'text' | 'metadata and text' | 'deletion';
  readonly year: number;
}

const many = (count: number) => Array.from({ length: count }, () => eq('year', 1));

const REFUSED: [filter: unknown, named: string][] = [
  [null, 'filter'],
  ['department', 'filter'],
  [[], 'filter'],
  [{}, 'filter.key'],
  [eq('', 1), 'filter.key'],
  [eq('a\0b', 1), 'filter.key'],
  [{ type: 'eq', key: 1, value: 1 }, 'filter.key'],
  [{ type: 'eq', key: 'year' }, 'filter.value'],
  [eq('year', null), 'filter.value'],
  [eq('year', [1]), 'filter.value'],
  [eq('year', {}), 'filter.value'],
  [eq('year', 'a\0b'), 'filter.value'],
  [{ type: 'gt', key: 'year', value: true }, 'filter.value'],
  [{ type: 'in', key: 'year', value: 2026 }, 'filter.value'],
  [{ type: 'in', key: 'year', value: [] }, 'filter.value'],
  [{ type: 'in', key: 'year', value: [null] }, 'filter.value'],
  [{ type: 'in', key: 'year', value: Array(101).fill(1) }, 'filter.value'],
  [{ type: 'like', key: 'year', value: 1 }, 'filter.type'],
  [{ type: 'EQ', key: 'year', value: 1 }, 'filter.type'],
  [{ ...eq('year', 1), and: [] }, 'filter'],
  [{ type: 'and' }, 'filter.filters'],
  [{ type: 'and', filters: [] }, 'filter.filters'],
  [{ type: 'and', filters: eq('year', 1) }, 'filter.filters'],
  [{ type: 'and', filters: [eq('year', 1)], key: 'year' }, 'filter'],
  [{ type: 'or', filters: [eq('year', 1), eq('year', null)] }, 'filter.filters.1.value'],
  [{ type: 'or', filters: many(21) }, 'filter.filters'],
  [
    {
      type: 'or',
      filters: [
        { type: 'and', filters: many(11) },
        { type: 'and', filters: many(10) },
      ],
    },
    'conditions',
  ],
  [
    {
      type: 'or',
      filters: [{ type: 'or', filters: [{ type: 'or', filters: [eq('year', 1)] }] }],
    },
    'deep',
  ],
];

// Links to originals are decided by it, after the one query that finds everything about them.
it.each(MATCHES)('matchesFilter decides as the databases do: %j', (filter, names) => {
  const matched = ALL.filter((name) =>
    matchesFilter(filter as MetadataFilter, DOCUMENTS[name] ?? {}),
  );
  expect(matched.sort()).toEqual([...names].sort());
});

describe('a metadata filter', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let secret: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
    kbId = (await alice.createKnowledgeBase()).id;
    secret = (await alice.createApiKey(kbId)).api_key;
    for (const [title, metadata] of Object.entries(DOCUMENTS)) {
      await alice.addDocument(kbId, { title, text: `A penguin, ${title}`, metadata });
    }
  });

  const found = async (filter: unknown) => {
    const answer = await partner.query(secret, 'penguin', { filter, top_k: 50 });
    expect([outcome(answer), answer.text]).toEqual(['200', expect.anything()]);
    return answer.body.results.map(({ document_title }) => document_title).sort();
  };

  it.each(MATCHES.map(([filter, names]) => [JSON.stringify(filter).slice(0, 90), filter, names]))(
    'matches as documented: %s',
    async (_, filter, names) => {
      expect(await found(filter)).toEqual([...(names as string[])].sort());
    },
  );

  it.each(REFUSED.map(([filter, named]) => [JSON.stringify(filter).slice(0, 90), filter, named]))(
    'is refused, naming what is wrong: %s',
    async (_, filter, named) => {
      for (const path of ['/query', '/chat']) {
        const body = { api_key: secret, message: 'penguin', filter };
        const answer = await partner.post<Problem>(path, body);
        expect(outcome(answer)).toBe('400 validation_failed');
        expect(answer.body.errors).toEqual([
          { field: 'filter', message: expect.stringContaining(String(named)) },
        ]);
      }
    },
  );

  it('holds for /chat too', async () => {
    const ask = async (filter: object) => {
      const { body } = await partner.chat(secret, 'penguin', { filter });
      return [body.answered, body.sources.length];
    };
    expect(await ask(eq('year', 2024))).toEqual([true, 1]);
    expect(await ask(eq('year', 1999))).toEqual([false, 0]);
  });

  it('finds what meets it behind thousands of better hits that do not', async () => {
    const { id } = await alice.createKnowledgeBase();
    const { api_key: key } = await alice.createApiKey(id);
    const sections = Array.from({ length: 2500 }, (_, n) => `# Part ${n}\n\nPenguins ${n}.`);
    await alice.addDocument(id, {
      title: 'Penguins',
      text: sections.join('\n\n'),
      mime_type: 'text/markdown',
      metadata: { kind: 'many' },
    });
    for (const n of [1, 2, 3]) {
      const text = `Number ${n} is long and speaks of birds, ice and the sea, and of penguins once.`;
      await alice.addDocument(id, { title: `Birds ${n}`, text, metadata: { kind: 'few' } });
    }
    const titles = async (more: object) => {
      const { body } = await partner.query(key, 'penguins', { top_k: 3, ...more });
      return body.results.map(({ document_title }) => document_title);
    };
    expect(await titles({})).toEqual(['Penguins', 'Penguins', 'Penguins']);
    for (const more of [{}, { min_score: 1e-9 }]) {
      const few = await titles({ filter: eq('kind', 'few'), ...more });
      expect(few.sort()).toEqual(['Birds 1', 'Birds 2', 'Birds 3']);
    }
    expect(await titles({ filter: eq('kind', 'few'), min_score: 1000 })).toEqual([]);
  });

  const change: fc.Arbitrary<Change> = fc.record({
    of: fc.integer({ min: 0, max: 3 }),
    how: fc.constantFrom('metadata', 'text', 'metadata and text', 'deletion'),
    year: fc.integer({ min: 1, max: 3 }),
  });

  it('finds documents as they are, whatever was found by it before', async () => {
    const { id } = await alice.createKnowledgeBase();
    const { api_key: open } = await alice.createApiKey(id, {
      scopes: ['query', 'documents:write'],
    });
    const { api_key: restricted } = await alice.createApiKey(id, { filter: eq('year', 1) });
    const documents = new Map<number, { id: string; year: number; text: number }>();
    const put = async (of: number, text: number, ofYear: number) => {
      const body = { title: `${of}`, text: `Penguin ${of}, ${text}`, metadata: { year: ofYear } };
      const authorization = `Bearer ${open}`;
      const path = `/ingest/documents/penguin-${of}`;
      const stored = await partner.call<Document>('PUT', path, body, { authorization });
      documents.set(of, { id: stored.body.id, year: ofYear, text });
      expect((await alice.readDocument(stored.body.id)).status).toBe('ready');
    };
    const apply = async ({ of, how, year: ofYear }: Change) => {
      const known = documents.get(of);
      if (!known) return put(of, 0, ofYear);
      if (how === 'text') return put(of, known.text + 1, known.year);
      if (how === 'metadata and text') return put(of, known.text + 1, ofYear);
      const path = `/documents/${known.id}`;
      if (how === 'deletion') {
        documents.delete(of);
        expect((await alice.call('DELETE', path)).status).toBe(200);
      } else {
        documents.set(of, { ...known, year: ofYear });
        const { status } = await alice.call('PATCH', path, { metadata: { year: ofYear } });
        expect(status).toBe(200);
      }
    };
    const titles = async (key: string, filter: object | undefined) => {
      const { body } = await partner.query(key, 'penguin', { filter, top_k: 50 });
      return body.results.map(({ document_title }) => document_title).sort();
    };
    const filters = [
      undefined,
      eq('year', 1),
      eq('year', 2),
      { type: 'gte', key: 'year', value: 2 },
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 8 }), async (changes) => {
        for (const one of changes) {
          await apply(one);
          for (const filter of filters) {
            const expected = [...documents].filter(
              ([, { year }]) => !filter || matchesFilter(filter as MetadataFilter, { year }),
            );
            const names = (some: typeof expected) => some.map(([of]) => `${of}`).sort();
            expect(await titles(open, filter)).toEqual(names(expected));
            const opened = expected.filter(([, { year }]) => year === 1);
            expect(await titles(restricted, filter)).toEqual(names(opened));
          }
        }
      }),
      { numRuns: repetitions(2, 20) },
    );
  });
});
