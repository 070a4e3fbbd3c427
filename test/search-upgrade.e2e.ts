import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { Client } from './support/client.js';
import { eventually, Service } from './support/service.js';
import { sql } from './support/sql.js';
import { engine } from './support/test-database.js';

const DOCUMENTS = [
  { title: 'Returns', text: 'Customers may return any order within thirty days of delivery.' },
  { title: '产品', text: '我们提供知识库管理服务。' },
];

/** What an earlier version has left: no words to correct to, no pairs, no codes. */
const OLD_SQLITE = `
  DROP TABLE passages; DROP TABLE codes; DROP TABLE words; DROP TABLE spellings;
  CREATE VIRTUAL TABLE passages USING fts5(
    title, heading, text, tokenize='porter unicode61 remove_diacritics 2');
  INSERT INTO passages VALUES ('Returns', '', 'Customers may return any order.');
  PRAGMA user_version = 0`;
const OLD_POSTGRES = [
  'UPDATE search_chunks SET codes = NULL',
  'DELETE FROM search_words',
  'DELETE FROM search_spellings',
  `DELETE FROM search_postings WHERE term !~ '^[a-z]'`,
];

describe('a search index of an earlier version', () => {
  let service: Service;
  let kbId: string;
  let secret: string;

  beforeEach(async () => {
    service = await Service.start();
    const alice = new Client(service, 'alice');
    kbId = (await alice.createKnowledgeBase()).id;
    secret = (await alice.createApiKey(kbId)).api_key;
    for (const document of DOCUMENTS) await alice.addDocument(kbId, document);
    await service.stop();
    if (engine === 'postgres') {
      for (const statement of OLD_POSTGRES) await sql(service.environment, statement);
    } else {
      const index = new Database(join(service.dataDir, 'search', `${kbId}.sqlite`));
      index.exec(OLD_SQLITE);
      index.close();
    }
  });

  afterEach(() => service.stop());

  it('is made anew by itself', async () => {
    service = await Service.start(service.environment);
    const partner = new Client(service);
    const titles = async (question: string) =>
      (await partner.query(secret, question)).body.results.map(
        ({ document_title }) => document_title,
      );
    expect(await titles('return an order')).toEqual(['Returns']);
    await eventually(async () => (await titles('知识')).length === 1);
    expect(await titles('deliverry')).toEqual(['Returns']);
    expect(await titles('return an order')).toEqual(['Returns']);
  });

  it('is made anew once by two that start together', async () => {
    const other = await Service.start(service.environment);
    service = await Service.start(service.environment);
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
