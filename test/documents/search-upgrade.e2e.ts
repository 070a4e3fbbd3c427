import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { Client } from '../support/client.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';
import { engine } from '../support/test-database.js';

const DOCUMENTS = [
  { title: 'Returns', text: 'Customers may return any order within thirty days of delivery.' },
  { title: '产品', text: '我们提供知识库管理服务。' },
];

/** A file of the version before: stems in a table of FTS5, fingerprints, no words to correct to. */
const FORMER_SQLITE = `
  DROP TABLE postings; DROP TABLE entries; DROP TABLE languages; DELETE FROM words;
  DELETE FROM spellings;
  CREATE VIRTUAL TABLE passages USING fts5(title, heading, text, tokenize='ascii');
  INSERT INTO passages (rowid, title, text)
    SELECT number, 'return', 'custom mai return ani order within thirti dai of deliveri'
    FROM codes ORDER BY number LIMIT 1;
  PRAGMA user_version = 2`;
/** An earlier one still. */
const OLD_SQLITE = `
  DROP TABLE postings; DROP TABLE entries; DROP TABLE languages;
  DROP TABLE codes; DROP TABLE words; DROP TABLE spellings;
  CREATE VIRTUAL TABLE passages USING fts5(
    title, heading, text, tokenize='porter unicode61 remove_diacritics 2');
  INSERT INTO passages VALUES ('Returns', '', 'Customers may return any order.');
  PRAGMA user_version = 0`;
const FORMER_POSTGRES = [
  'UPDATE search_chunks SET format = 0, language = NULL',
  'DELETE FROM search_blocks',
  'DELETE FROM search_languages',
  'DELETE FROM search_words',
  'DELETE FROM search_spellings',
  `INSERT INTO search_postings (index_number, term, chunk_number, frequency, tokens)
     SELECT index_number, unnest(terms), chunk_number, 1, tokens FROM search_chunks`,
];
const OLD_POSTGRES = [
  ...FORMER_POSTGRES,
  'UPDATE search_chunks SET codes = NULL',
  `DELETE FROM search_postings WHERE term !~ '^[a-z]'`,
];
const VERSIONS = [
  ['the version before', FORMER_SQLITE, FORMER_POSTGRES],
  ['an earlier version', OLD_SQLITE, OLD_POSTGRES],
] as const;

/** Stopped, with an index of this version. */
let current: Service;
let kbId: string;
let secret: string;

beforeAll(async () => {
  current = await Service.start();
  const alice = new Client(current, 'alice');
  kbId = (await alice.createKnowledgeBase()).id;
  secret = (await alice.createApiKey(kbId)).api_key;
  for (const document of DOCUMENTS) await alice.addDocument(kbId, document);
  await current.stop();
});

describe.each(VERSIONS)('a search index of %s', (_, sqliteChanges, postgresChanges) => {
  let environment: NodeJS.ProcessEnv;
  let service: Service;

  beforeEach(async () => {
    environment = await current.copy();
    if (engine === 'postgres') {
      for (const statement of postgresChanges) await sql(environment, statement);
    } else {
      const file = join(String(environment['DATA_DIR']), 'search', `${kbId}.sqlite`);
      const index = new Database(file);
      index.exec(sqliteChanges);
      index.close();
    }
  });

  afterEach(() => service.stop());

  it('is made anew by itself', async () => {
    service = await Service.start(environment);
    const partner = new Client(service);
    const titles = async (question: string) =>
      (await partner.query(secret, question)).body.results.map(
        ({ document_title }) => document_title,
      );
    expect(await titles('return an order')).toEqual(['Returns']);
    await eventually(async () => (await titles('知识')).length === 1);
    // The chunks are indexed anew one group after another.
    await eventually(async () => (await titles('deliverry'))[0] === 'Returns');
    expect(await titles('return an order')).toEqual(['Returns']);
  });

  it('is made anew once by two that start together', async () => {
    const other = await Service.start(environment);
    service = await Service.start(environment);
    try {
      const ask = async (one: Service) =>
        (await new Client(one).query(secret, '知识 customers')).body.results.map(
          ({ score }) => score,
        );
      await eventually(async () => (await ask(service)).length === 2);
      expect(await ask(other)).toEqual(await ask(service));
    } finally {
      await other.stop();
    }
  });
});
