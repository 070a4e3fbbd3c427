import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { repairSome } from './index-content.js';
import { SqliteIndexReader } from './sqlite-index-reader.js';

const KB = 'kb_1';

describe(SqliteIndexReader.name, () => {
  let directory: string;
  let live: Database.Database;
  let index: Database.Database;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'index-reader-'));
    live = new Database(join(directory, 'latchkey.sqlite'));
    live.exec(`
      PRAGMA journal_mode = WAL;
      CREATE TABLE documents (
        id, kb_id, title, external_id, source_url, metadata, language, version, state);
      CREATE TABLE chunks (
        number INTEGER PRIMARY KEY, id, kb_id, document_id, version, position, heading, page, locator,
        text);
      CREATE TABLE chunk_vectors (serial, chunk_number, kb_id, model, windows, codes, places, vectors);
      INSERT INTO documents
        VALUES ('doc_1', '${KB}', 'Penguins', NULL, NULL, '{}', 'en', 1, 'active');
      INSERT INTO chunks VALUES
        (1, 'old', '${KB}', 'doc_1', 1, 0, NULL, NULL, NULL, 'Penguins: the old edition.'),
        (2, 'new', '${KB}', 'doc_1', 2, 0, NULL, NULL, NULL, 'Penguins: the new edition.')`);
    index = new Database(join(directory, 'index.sqlite'));
    index.prepare('ATTACH ? AS live').run(live.name);
    repairSome(index, { kbId: KB, after: 0 });
  });

  afterEach(() => {
    jest.restoreAllMocks();
    index.close();
    live.close();
    rmSync(directory, { recursive: true });
  });

  it('loads one version of a document that is replaced meanwhile', () => {
    const reader = new SqliteIndexReader(index, KB);
    const parse = JSON.parse.bind(JSON);
    jest.spyOn(JSON, 'parse').mockImplementation((text: string): unknown => {
      live.exec('UPDATE documents SET version = 2');
      return parse(text);
    });
    expect(reader.load([1, 2]).map(({ chunkId }) => chunkId)).toEqual(['old']);
    expect(reader.load([1, 2]).map(({ chunkId }) => chunkId)).toEqual(['new']);
  });
});
