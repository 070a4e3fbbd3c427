import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, outcome } from '../support/client.js';
import { eventually, Service } from '../support/service.js';

const QUESTION = 'How much does the director earn?';
const STAFF = { allow: ['group:staff'] };
const EVERYONE = { allow: ['everyone'] };
/** The statement that reads which rule each passage has. */
const READ_IN_FULL = /p\.number BETWEEN \$2 AND \$3/;
/** So many that most threads that search have some of them. */
const QUESTIONS = 12;

describe('what is readable', () => {
  let service: Service;
  let statementsFile: string;
  let alice: Client;
  let kbId: string;
  let setId: string;
  let secret: string;
  const ids: string[] = [];

  beforeAll(async () => {
    const directory = process.env['LATCHKEY_TEST_DIR'] ?? tmpdir();
    statementsFile = join(mkdtempSync(join(directory, 'statements-')), 'log');
    writeFileSync(statementsFile, '');
    service = await Service.start({
      NODE_OPTIONS: '--import=./test/support/log-statements.mjs',
      STATEMENTS_FILE: statementsFile,
      STATEMENTS_THREADS: 'yes',
    });
    alice = new Client(service, 'alice');
    ({ id: kbId } = await alice.createKnowledgeBase());
    ({ id: setId } = await alice.createAccessSet(kbId, STAFF));
    const principals = ['group:staff'];
    const more = { principals, scopes: ['query', 'documents:write'] };
    ({ api_key: secret } = await alice.createApiKey(kbId, more));
    for (let number = 0; number < 6; number++) {
      const text = `The director of house ${number} earns ${number + 3} thousand euros.`;
      const rule = number < 3 ? { access_set: setId } : { access: EVERYONE };
      const fields = { title: `House ${number}`, text, external_id: `house-${number}`, ...rule };
      ids.push((await alice.addDocument(kbId, fields)).id);
    }
  });

  afterAll(() => service.stop());

  /** The results of as many answers; each different one once. */
  const answers = async (write: (result: { document_id: string; score: number }) => string) => {
    const asked = await Promise.all(
      Array.from({ length: QUESTIONS }, () => alice.query(secret, QUESTION, { top_k: 50 })),
    );
    return new Set(asked.map(({ body }) => body.results.map(write).sort().join()));
  };
  const found = () => answers(({ document_id }) => document_id);
  /** How often each thread that searches has read what is readable. */
  const readsInFull = () => {
    const reads = new Map<string, number>();
    for (const statement of readFileSync(statementsFile, 'utf8').split('\n')) {
      if (!READ_IN_FULL.test(statement)) continue;
      const [thread = ''] = statement.split(' ');
      reads.set(thread, (reads.get(thread) ?? 0) + 1);
    }
    return reads;
  };
  const document = (number: number) => `/documents/${ids[number]}`;
  const patch = async (path: string, fields: object) => {
    expect(outcome(await alice.call('PATCH', path, fields))).toBe('200');
  };
  const put = async (number: number, text: string) => {
    const headers = { authorization: `Bearer ${secret}` };
    const path = `/ingest/documents/house-${number}`;
    await alice.call('PUT', path, { title: `House ${number}`, text }, headers);
    const { status } = await alice.readDocument(ids[number] ?? '');
    expect(status).toBe('ready');
  };
  /** What each answer has. */
  const all = (...missing: number[]) =>
    new Set([
      ids
        .filter((_, number) => !missing.includes(number))
        .sort()
        .join(),
    ]);

  it.each<[string, () => Promise<unknown>, () => Set<string>]>([
    ['a rule', () => patch(document(4), { access: { allow: [] } }), () => all(4)],
    ['a set', () => patch(`/access-sets/${setId}`, { allow: [] }), () => all(0, 1, 2, 4)],
    ['a set again', () => patch(`/access-sets/${setId}`, STAFF), () => all(4)],
    ['a default', () => alice.set(kbId, { default_access: 'closed' }), () => all(4)],
    ['no rule', () => patch(document(3), { access: null }), () => all(3, 4)],
    ['a rule again', () => patch(document(3), { access: STAFF }), () => all(4)],
    ['another content', () => put(0, 'The director of house 0 earns 17 thousand.'), () => all(4)],
    ['a title', () => patch(document(1), { title: 'Castle' }), () => all(4)],
    ['a removal', () => alice.call('DELETE', document(5)), () => all(4, 5)],
  ])('is read further, not again, after a change of %s', async (_, change, readable) => {
    await found();
    const before = readsInFull();
    expect(before.size).toBeGreaterThan(0);
    await change();
    expect(await found()).toEqual(readable());
    // What was removed is gone from the index a moment later; then each thread counts the same.
    await eventually(
      async () => (await answers(({ document_id, score }) => `${document_id} ${score}`)).size === 1,
    );
    expect(await found()).toEqual(readable());
    // A thread that is asked for the first time meanwhile reads once.
    const after = readsInFull();
    expect(new Map([...before.keys()].map((thread) => [thread, after.get(thread)]))).toEqual(
      before,
    );
  });
});
