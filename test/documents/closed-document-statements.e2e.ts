import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
/** Background work may come between the statements of some of so many requests. */
const TRIES = 8;

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

  /** Those of a request, which must be answered 404. */
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
    return runs.reduce((least, run) => (run.length < least.length ? run : least));
  };

  it.each(OPERATIONS)(
    'costs a viewer what one costs that is not there: %s %s',
    async (method, path) => {
      const of = (id: string) => statementsOf(viewer, method, `/documents/${id}${path}`);
      const closed = await of(documentId);
      expect(closed.filter((statement) => statement.startsWith('SELECT')).length).toBeGreaterThan(
        1,
      );
      expect(closed).toEqual(await of(ABSENT['document_id'] ?? ''));
    },
  );

  it('costs a key what one costs that is not there', async () => {
    const of = (id: string) =>
      statementsOf(new Client(service), 'GET', `/ingest/documents/${id}`, {
        authorization: `Bearer ${apiKey}`,
      });
    // Its first use is written down.
    await of('absent');
    expect(await of(EXTERNAL_ID)).toEqual(await of('absent'));
  });
});
