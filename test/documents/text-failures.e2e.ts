import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, outcome } from '../support/client.js';
import { freePort } from '../support/postgres.mjs';
import { Service } from '../support/service.js';

const NEIGHBOUR = { title: 'Opening hours', text: 'The shop opens at nine.' };
const FAILING = { title: 'Failing', text: 'Something that is ünzerlegbar for a thread.' };

describe('a text at which something throws', () => {
  let service: Service;
  let alice: Client;
  let metrics: string;

  beforeAll(async () => {
    const port = await freePort();
    metrics = `http://127.0.0.1:${port}/metrics`;
    service = await Service.start({
      METRICS_PORT: String(port),
      NODE_OPTIONS: '--import=./test/support/text-faults.mjs',
    });
    alice = new Client(service, 'alice');
  });

  afterAll(() => service.stop());

  const create = async () => {
    const { id } = await alice.createKnowledgeBase();
    const { api_key: secret } = await alice.createApiKey(id);
    const ask = async (question: string) => {
      const answer = await new Client(service).query(secret, question);
      expect(outcome(answer)).toBe('200');
      return answer.body.results.map(({ document_title }) => document_title).sort();
    };
    return { id, ask };
  };
  const failures = async (kind: string, language: string) => {
    const text = await (await fetch(metrics)).text();
    const series = `latchkey_text_failures_total{kind="${kind}",language="${language}"}`;
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(series))
        ?.split(' ')
        .at(-1),
    );
  };

  it('is found by its words where a stemmer throws, which is counted', async () => {
    const { id, ask } = await create();
    const text = 'Der Zauberlehrling holt Wasser aus dem Fluss.';
    const { status } = await alice.addDocument(id, { title: 'Ballade', text, language: 'de' });
    expect(status).toBe('ready');
    expect(await ask('Zauberlehrling')).toEqual(['Ballade']);
    expect(await ask('Was holt der Zauberer?')).toEqual(['Ballade']);
    expect(await failures('stemmer', 'de')).toBeGreaterThanOrEqual(2);
  });

  it('is found where the segmenter throws, which is counted', async () => {
    const { id, ask } = await create();
    const text = 'ห้องสมุดเปิดเวลาเก้าโมง';
    const { status } = await alice.addDocument(id, { title: 'Library', text, language: 'th' });
    expect(status).toBe('ready');
    expect(await ask(text)).toEqual(['Library']);
    expect(await failures('segmenter', '')).toBeGreaterThanOrEqual(2);
  });

  it('fails its own document, whatever throws, and neither its neighbours nor a question', async () => {
    const { id, ask } = await create();
    // The first one, before its knowledge base has a complete index.
    const first = alice.addDocument(id, FAILING);
    expect(await ask('When does it open?')).toEqual([]);
    // At once with others, with which it is indexed together.
    const documents = [1, 2, 3].map((n) => ({ ...NEIGHBOUR, text: `${NEIGHBOUR.text} ${n}` }));
    const others = [...documents, { ...FAILING, text: `${FAILING.text} Again.` }];
    const read = await Promise.all(others.map((document) => alice.addDocument(id, document)));
    expect(read.map(({ status }) => status)).toEqual(['ready', 'ready', 'ready', 'failed']);
    const failed = await first;
    expect([failed.status, failed.error?.code]).toEqual(['failed', 'parse_failed']);
    expect(await ask('When does the shop open?')).toContain(NEIGHBOUR.title);
  });

  it('keeps no other passage out of an index that is made anew', async () => {
    const { id, ask } = await create();
    await alice.addDocument(id, NEIGHBOUR);
    await service.stop();
    // Indexed while nothing threw.
    service = await Service.start({ ...service.environment, NODE_OPTIONS: '' });
    alice = new Client(service, 'alice');
    expect((await alice.addDocument(id, FAILING)).status).toBe('ready');
    await service.stop();
    rmSync(join(service.dataDir, 'search', `${id}.sqlite`), { force: true });
    const NODE_OPTIONS = '--import=./test/support/text-faults.mjs';
    service = await Service.start({ ...service.environment, NODE_OPTIONS });
    alice = new Client(service, 'alice');
    expect(await ask('When does the shop open?')).toEqual([NEIGHBOUR.title]);
    expect(
      (await alice.addDocument(id, { title: 'Closing', text: 'The shop opens, and closes.' }))
        .status,
    ).toBe('ready');
    expect(await ask('When does the shop open?')).toContain('Closing');
  });
});
