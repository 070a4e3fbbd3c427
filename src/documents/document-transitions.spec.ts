import { describe, expect, it } from '@jest/globals';
import { memoryDatabase } from '../../test/support/memory-database.js';
import type { Events } from '../knowledge-bases/events/events.js';
import { Document } from './document.entity.js';
import { DocumentTransitions } from './document-transitions.js';
import type { IngestionQueue } from './ingestion-queue.js';

describe(DocumentTransitions, () => {
  it('deletes the documents of a knowledge base in batches', async () => {
    const dataSource = await memoryDatabase().initialize();
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
    const unused: unknown = {};
    const transitions = new DocumentTransitions(unused as Events, unused as IngestionQueue);
    const remaining: number[] = [];
    for (let goesOn = true; goesOn;) {
      goesOn = await transitions.deleteWithKnowledgeBase(dataSource.manager, 'kb');
      remaining.push(await dataSource.manager.countBy(Document, { kbId: 'kb', state: 'active' }));
    }
    expect(remaining).toEqual([1, 0]);
    expect(await dataSource.manager.countBy(Document, { state: 'active' })).toBe(1);
    await dataSource.destroy();
  });
});
