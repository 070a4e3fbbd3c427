import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, outcome } from '../support/client.js';
import { Service } from '../support/service.js';
import { absentIds } from '../support/tenants.js';

const ABSENT = absentIds('viewer');
const EXTERNAL_ID = 'salaries';
const OPERATIONS = [
  ['GET', ''],
  ['PATCH', ''],
  ['DELETE', ''],
  ['POST', '/reindex'],
  ['GET', '/chunks'],
  ['GET', '/original'],
  ['GET', '/content'],
  ['POST', '/access-check'],
] as const;
/** Background work may come between the statements of all tries of some of so many rounds. */
const ROUNDS = 10;
const TRIES = 8;

const shorter = (one: string[], other: string[]) => (other.length < one.length ? other : one);

describe('a document that is closed', () => {
  let service: Service;
  let statementsFile: string;
  let documentId: string;
  let viewer: Client;
  let apiKey: string;

  beforeAll(async () => {
    const directory = process.env['LATCHKEY_TEST_DIR'] ?? tmpdir();
    statementsFile = join(mkdtempSync(join(directory, 'statements-')), 'log');
    service = await Service.start({
      NODE_OPTIONS: '--import=./test/support/log-statements.mjs',
      STATEMENTS_FILE: statementsFile,
    });
    const alice = new Client(service, 'alice');
    viewer = new Client(service, 'viewer');
    const { id: kbId } = await alice.createKnowledgeBase();
    await alice.call('PUT', `/kbs/${kbId}/members/viewer`, { role: 'viewer' });
    const scopes = ['documents:read'];
    ({ api_key: apiKey } = await alice.createApiKey(kbId, { scopes }));
    ({ id: documentId } = await alice.addDocument(kbId, {
      ...{ title: 'Salaries', text: 'The director earns 9,000 euros.' },
      ...{ external_id: EXTERNAL_ID, access: { allow: [] } },
    }));
  });

  afterAll(() => service.stop());

  /** The statements of a request, which must be answered 404. */
  const statementsOf = async (
    client: Client,
    method: string,
    path: string,
    headers: Record<string, string> = {},
  ) => {
    const runs: string[][] = [];
    while (runs.length < TRIES) {
      writeFileSync(statementsFile, '');
      const answer = await client.call(method, path, undefined, headers);
      expect([path, outcome(answer)]).toEqual([path, '404 not_found']);
      runs.push(readFileSync(statementsFile, 'utf8').trim().split('\n'));
    }
    return runs.reduce(shorter);
  };
  /** Expects the same of both, and returns it. */
  const same = async (one: () => Promise<string[]>, other: () => Promise<string[]>) => {
    let [first, second] = [await one(), await other()];
    for (let round = 1; round < ROUNDS && !isDeepStrictEqual(first, second); round++)
      [first, second] = [shorter(first, await one()), shorter(second, await other())];
    expect(first).toEqual(second);
    return first;
  };

  it.each(OPERATIONS)(
    'costs a viewer what one costs that is not there: %s %s',
    async (method, path) => {
      const of = (id: string) => statementsOf(viewer, method, `/documents/${id}${path}`);
      const statements = await same(
        () => of(documentId),
        () => of(ABSENT['document_id'] ?? ''),
      );
      expect(statements.filter((each) => each.startsWith('SELECT')).length).toBeGreaterThan(1);
    },
  );

  it('costs a key what one costs that is not there', async () => {
    const of = (id: string) =>
      statementsOf(new Client(service), 'GET', `/ingest/documents/${id}`, {
        authorization: `Bearer ${apiKey}`,
      });
    // Its first use is written down.
    await of('absent');
    await same(
      () => of(EXTERNAL_ID),
      () => of('absent'),
    );
  });
});
