import { beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import type { PostingList } from '@latchkey/ranking/posting-block';
import { ReadablePassages } from './readable-passages.js';
import { SqliteIndexStore } from './sqlite/sqlite-index-store.js';

const TABLES = `
  CREATE TABLE knowledge_bases (id, access_version, document_rules_version);
  CREATE TABLE knowledge_base_settings (kb_id, settings);
  CREATE TABLE access_sets (id, kb_id);
  CREATE TABLE documents (
    id, kb_id, state, version, closed_version, access_set_id, rules_version, metadata,
    valid_from, valid_until, superseded_at);
  CREATE TABLE passages (number, kb_id, document_id, version);
  CREATE TABLE search_passages (passage_number, tokens, language);
  CREATE TABLE search_changes (serial, added, removed);`;

const FILTER = { type: 'eq', key: 'a', value: 1 } as const;
/** More than are read at a time. */
const MANY = 10_001;

const listOf = (numbers: readonly number[]): PostingList => ({
  numbers: Float64Array.from(numbers),
  frequencies: Uint16Array.from(numbers),
  tokens: Uint16Array.from(numbers),
});

describe(ReadablePassages.name, () => {
  let count = 0;
  let kbId: string;
  let file: Database.Database;
  let store: SqliteIndexStore;

  beforeEach(() => {
    kbId = `kb_${count++}`;
    file = new Database(':memory:');
    store = new SqliteIndexStore(file, kbId);
    file.exec(TABLES);
    file.prepare('INSERT INTO knowledge_bases VALUES (?, 0, 0)').run(kbId);
    file
      .prepare(
        `INSERT INTO documents VALUES ('d', ?, 'active', 1, 0, NULL, 0, '{"a":1}', NULL, NULL, NULL)`,
      )
      .run(kbId);
    add(1, 1);
  });

  const add = (number: number, serial: number) => {
    file.prepare(`INSERT INTO passages VALUES (?, ?, 'd', 1)`).run(number, kbId);
    file.prepare(`INSERT INTO search_passages VALUES (?, 10, 'en')`).run(number);
    file.prepare(`INSERT INTO search_changes VALUES (?, ?, '[]')`).run(serial, `[${number}]`);
  };
  const numbers = () =>
    file.prepare<[], number>('SELECT number FROM passages ORDER BY number').pluck().all();
  const read = () => Promise.resolve([listOf(numbers())]);
  const search = async (id = kbId, filter?: MetadataFilter) => {
    const readable = new ReadablePassages(store, id, { principals: [] });
    return { readable, seen: await readable.seen(filter) };
  };
  const known = (filter: MetadataFilter = FILTER) =>
    new ReadablePassages(store, kbId, { principals: [] }).known(filter);

  it('reads all again when the last changes were lost with a server', async () => {
    await search();
    add(2, 2);
    expect((await search()).seen.numbers.size).toBe(2);
    file.exec('DELETE FROM passages WHERE number = 2; DELETE FROM search_changes WHERE serial = 2');
    const { numbers: left } = (await search()).seen;
    expect([left.size, left.has(2)]).toEqual([1, false]);
    add(3, 2);
    const { numbers: found } = (await search()).seen;
    expect([found.size, found.has(3)]).toEqual([2, true]);
  });

  it('reads all again when the last rule was lost with a server', async () => {
    const rule = (setId: string | null, version: number) => {
      file.prepare('UPDATE documents SET access_set_id = ?, rules_version = ?').run(setId, version);
      file.prepare('UPDATE knowledge_bases SET document_rules_version = ?').run(version);
    };
    await search();
    rule('as', 1);
    expect((await search()).seen.numbers.size).toBe(0);
    rule(null, 0);
    expect((await search()).seen.numbers.size).toBe(1);
  });

  it('does not read all again because another search has read further', async () => {
    await search();
    const readable = new ReadablePassages(store, kbId, { principals: [] });
    await readable.hasRules();
    add(2, 2);
    await search();
    file.exec('DELETE FROM passages');
    expect((await readable.visibility(undefined)).numbers.size).toBe(2);
  });

  it('is stale if another search has noticed that passages were removed or replaced', async () => {
    const [first, filtered] = [await search(), await search(kbId, FILTER)];
    add(2, 2);
    const second = await search();
    expect([first, second].map(({ readable }) => readable.isStale())).toEqual([false, false]);
    file.exec(`INSERT INTO search_changes VALUES (3, '[]', '[[1,"en",10]]')`);
    const third = await search();
    const all = [first, second, filtered, third].map(({ readable }) => readable.isStale());
    expect(all).toEqual([true, true, false, false]);
    expect(third.seen.numbers.has(1)).toBe(false);
    // One that begins again has noticed it itself.
    first.readable.begin();
    await first.readable.visibility(undefined);
    expect(first.readable.isStale()).toBe(false);
    // What was lost with a server is read again.
    file.exec('DELETE FROM search_changes WHERE serial > 1');
    await search();
    expect(third.readable.isStale()).toBe(true);
  });

  it('remembers no postings of a knowledge base that was forgotten while they were read', async () => {
    const { readable } = await search();
    await new ReadablePassages(store, `${kbId} other`, { principals: [] }, 0).visibility(undefined);
    await readable.postings(['a'], async () => {
      const [late] = await read();
      add(2, 2);
      await (await search()).readable.postings(['a'], read);
      return late ? [late] : [];
    });
    const [list] = await (await search()).readable.postings(['a'], read);
    expect(list).toEqual(listOf([1, 2]));
  });

  it('reads a part of many passages each time, until it knows which match', async () => {
    const all = `WITH RECURSIVE one (value) AS (SELECT 2 UNION ALL SELECT value + 1 FROM one LIMIT 14999)`;
    file.exec(`
      INSERT INTO documents SELECT 'e', kb_id, 'active', 1, 0, NULL, 0, '{"kind":"rare"}', NULL, NULL, NULL FROM documents;
      ${all} INSERT INTO passages
        SELECT value, '${kbId}', IIF(value % 5000 = 0, 'e', 'd'), 1 FROM one;
      ${all} INSERT INTO search_passages SELECT value, 10, 'en' FROM one`);
    const filter = { type: 'eq', key: 'kind', value: 'rare' } as const;
    const matching = async () => {
      const seen = await known(filter);
      return seen && [...seen.numbers].sort((one, other) => one - other);
    };
    expect(await matching()).toBeUndefined();
    expect(await matching()).toEqual([5000, 10_000, 15_000]);
    file.exec(`UPDATE documents SET metadata = '{}', rules_version = 1 WHERE id = 'e';
      UPDATE knowledge_bases SET document_rules_version = 1`);
    expect(await matching()).toEqual([]);
  });

  it('remembers no postings that lack what a search of others has noticed while they were read', async () => {
    await search(kbId, FILTER);
    const { readable } = await search();
    await readable.postings(['a'], async () => {
      const late = await read();
      add(2, 2);
      await search(kbId, FILTER);
      return late;
    });
    const [list] = await (await search(kbId, FILTER)).readable.postings(['a'], read);
    expect(list).toEqual(listOf([1, 2]));
  });

  it('reads a part at a time also when it reads all again', async () => {
    expect((await known())?.numbers.size).toBe(1);
    for (let number = 2; number <= MANY; number++) add(number, number);
    file.exec(`DELETE FROM search_changes WHERE serial < ${MANY}`);
    expect(await known()).toBeUndefined();
    expect((await known())?.numbers.size).toBe(MANY);
  });

  it('reads a few passages again at once', async () => {
    await known();
    add(2, 3);
    expect((await known())?.numbers.size).toBe(2);
  });
});
