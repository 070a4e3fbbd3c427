import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { memoryDatabase } from '../../test/support/memory-database.js';
import type { Events } from '../knowledge-bases/events/events.js';
import { Document } from './document.entity.js';
import { activeDocuments, DocumentTransitions } from './document-transitions.js';
import type { IngestionQueue } from './ingestion-queue.js';

describe(DocumentTransitions, () => {
  let dataSource: DataSource;

  beforeEach(async () => {
    dataSource = await memoryDatabase().initialize();
    await dataSource.query(`
      INSERT INTO knowledge_bases (id, name, state, created_at, updated_at)
        VALUES ('kb', 'kb', 'deactivated', '2027-03-01', '2027-03-01'),
               ('other', 'other', 'active', '2027-03-01', '2027-03-01')`);
    await dataSource.query(`
      WITH RECURSIVE numbers (number) AS
        (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 1002)
      INSERT INTO documents (id, kb_id, title, mime_type, size_bytes, sha256, metadata, state, status,
        created_at, updated_at)
        SELECT 'doc_' || number, iif(number > 1001, 'other', 'kb'), 'Title', 'text/plain', 1, 'x', '{}',
          'active', iif(number % 2, 'ready', 'pending'), '2027-03-01', '2027-03-01' FROM numbers`);
  });

  afterEach(() => dataSource.destroy());

  const count = (where: object) =>
    dataSource.manager.countBy(Document, { state: 'active', ...where });

  it('deletes the documents of a knowledge base in batches', async () => {
    const unused: unknown = {};
    const transitions = new DocumentTransitions(unused as Events, unused as IngestionQueue);
    const remaining: number[] = [];
    for (let goesOn = true; goesOn;) {
      goesOn = await transitions.deleteWithKnowledgeBase(dataSource.manager, 'kb');
      remaining.push(await count({ kbId: 'kb' }));
    }
    expect(remaining).toEqual([1, 0]);
    expect(await count({})).toBe(1);
  });

  it('finds the documents to change in batches, until none is left', async () => {
    const batches: number[] = [];
    for await (const ids of activeDocuments(dataSource.manager, { kbId: 'kb' })) {
      batches.push(ids.length);
      await dataSource.manager.update(Document, ids, { state: 'deactivated' });
    }
    expect(batches).toEqual([1000, 1]);
    expect(await count({})).toBe(1);
  });
});
