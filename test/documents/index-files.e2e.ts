import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { Client, outcome } from '../support/client.js';
import { eventually, Service } from '../support/service.js';
import { STALLED_MS } from '../support/stalled.js';

const DOCUMENT = { title: 'Opening hours', text: 'The shop opens at nine.' };
const PASSAGES = 3000;

describe('an index file', () => {
  let service: Service;
  let alice: Client;
  let kbId: string;
  let secret: string;

  beforeAll(async () => {
    service = await Service.start();
  });

  beforeEach(async () => {
    alice = new Client(service, 'alice');
    kbId = (await alice.createKnowledgeBase()).id;
    secret = (await alice.createApiKey(kbId)).api_key;
    await alice.addDocument(kbId, DOCUMENT);
  });

  afterAll(() => service.stop());

  const fileOf = (id: string) => join(service.dataDir, 'search', `${id}.sqlite`);

  const ask = async (question = 'shop', key = secret) => {
    const answer = await new Client(service).query(key, question);
    expect(outcome(answer)).toBe('200');
    return answer.body.results.map(({ document_title }) => document_title);
  };

  /** Both workers have it open then. */
  const askAtOnce = () => Promise.all(Array.from({ length: 8 }, () => ask()));

  const restart = async () => {
    await service.stop();
    service = await Service.start(service.environment);
    alice = new Client(service, 'alice');
  };

  it.each(['lost', 'damaged'])('is rebuilt if it is %s while in use', async (fate) => {
    await askAtOnce();
    for (const suffix of ['', '-wal', '-shm']) {
      const file = fileOf(kbId) + suffix;
      if (fate === 'lost') rmSync(file, { force: true });
      else if (suffix === '') writeFileSync(file, 'this is no database, '.repeat(2000));
    }
    for (const titles of await askAtOnce()) expect(titles).toEqual([DOCUMENT.title]);
    await alice.addDocument(kbId, { title: 'Closing', text: 'The shop closes at six.' });
    for (const titles of await askAtOnce()) {
      expect(titles.sort()).toEqual(['Closing', DOCUMENT.title]);
    }
  });

  it('is read even if it cannot be written', async () => {
    await restart();
    const writer = new Database(fileOf(kbId));
    writer.exec('BEGIN IMMEDIATE');
    try {
      const begin = performance.now();
      expect(await ask()).toEqual([DOCUMENT.title]);
      expect(performance.now() - begin).toBeLessThan(STALLED_MS);
    } finally {
      writer.close();
    }
  });

  it('gets back the passages that a power loss took', async () => {
    await alice.addDocument(kbId, { title: 'Closing', text: 'The shop closes at six.' });
    await service.stop();
    const index = new Database(fileOf(kbId));
    const numbers = 'SELECT passage_number FROM search_passages';
    index.exec(
      `DELETE FROM search_passages WHERE passage_number = (${numbers} ORDER BY 1 DESC LIMIT 1)`,
    );
    index.exec(`DELETE FROM search_blocks WHERE first NOT IN (${numbers})`);
    index.close();
    service = await Service.start(service.environment);
    await eventually(async () => (await ask()).length === 2);
  });

  it('is rebuilt in parts, while others are searched', async () => {
    const { id } = await alice.createKnowledgeBase();
    const { api_key: key } = await alice.createApiKey(id);
    const sections = Array.from(
      { length: PASSAGES },
      (_, n) => `# Part ${n}\n\nPenguin${n} walks.`,
    );
    const text = sections.join('\n\n');
    await alice.addDocument(id, { title: 'Penguins', text, mime_type: 'text/markdown' });
    await service.stop();
    rmSync(fileOf(id));
    service = await Service.start(service.environment);
    await askAtOnce();
    // The rebuild waits for this lock.
    const writer = new Database(fileOf(id));
    writer.pragma('journal_mode = WAL');
    writer.exec('BEGIN IMMEDIATE');
    let isOver = false;
    const whole = ask(`penguin${PASSAGES - 1}`, key).finally(() => (isOver = true));
    try {
      expect(await ask()).toEqual([DOCUMENT.title]);
      expect(isOver).toBe(false);
    } finally {
      writer.close();
    }
    expect(await whole).toEqual(['Penguins']);
  });

  it('does not come back after its knowledge base was deleted', async () => {
    const elsewhere = `${fileOf(kbId)}-elsewhere`;
    renameSync(fileOf(kbId), elsewhere);
    expect(outcome(await alice.call('DELETE', `/kbs/${kbId}`))).toBe('200');
    rmSync(elsewhere);
    const { id } = await alice.createKnowledgeBase();
    await alice.addDocument(id, DOCUMENT);
    expect(existsSync(fileOf(kbId))).toBe(false);
    await restart();
    expect(existsSync(fileOf(kbId))).toBe(false);
  });
});
