// One of the trees that run.mjs compares: its service, and what its own benchmarks do to it. Runs in
// the tree's folder.
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const PASSAGES = 10_000;
const UPLOADS_AT_ONCE = 8;

/** @returns {Promise<any>} */
const own = (/** @type {string} */ file) => import(pathToFileURL(resolve('bench', file)).href);
const { Child, SERVER_CORE } = await own('auth/child.mjs');
const { storeKeys } = await own('auth/stored-keys.mjs');
const { addKnowledgeBase, ask } = await own('fixtures/knowledge-bases.mjs');
const { readText, spread } = await own('fixtures/text.mjs');
const { words } = await own('ingest/load.mjs');
const { LONG_TIMEOUTS, scratchDirectory, startService } = await own('support.mjs');

const { passages, questions } = readText();
const sentence = () => `${words(12)}.`;
const section = () => `## ${words(3)}\n\n${Array.from({ length: 25 }, sentence).join(' ')}`;
const documents = {
  small: () => ({ text: words(150) }),
  large: () => ({
    text: Array.from({ length: 4 }, section).join('\n\n'),
    mime_type: 'text/markdown',
  }),
};

/** @type {any} */
let service;
let key = '';
/** @type {{ child: any, port: number, secrets: string[] } | undefined} */
let guarded;

const tasks = {
  /** @param {{ DATABASE_URL?: string }} database */
  start: async ({ DATABASE_URL }) => {
    service = await startService({
      ...LONG_TIMEOUTS,
      EMBEDDINGS: 'off',
      ...(DATABASE_URL && { DATABASE_URL }),
    });
    // By HTTP: how a benchmark fills a database by itself may differ from tree to tree.
    key = await addKnowledgeBase(service, passages, PASSAGES);
    return { pid: service.pid };
  },
  /** @param {{ count: number }} load */
  auth: async ({ count }) => {
    guarded ??= await startGuarded();
    const { child, port, secrets } = guarded;
    const before = await child.ask({});
    let asked = 0;
    const one = async () => {
      for (let n = asked++; n < count; n = asked++) {
        const response = await globalThis.fetch(`http://127.0.0.1:${port}/echo`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            api_key: secrets[n % secrets.length],
            message: 'How long may customers return an order?',
          }),
        });
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`The guard answered ${response.status}`);
      }
    };
    await Promise.all(Array.from({ length: 32 }, one));
    const { cpuMicros } = await child.ask({});
    return { cpuMs: (cpuMicros - before.cpuMicros) / 1000 };
  },
  /** @param {{ count: number }} load */
  small: ({ count }) => ingest(documents.small, count),
  /** @param {{ count: number }} load */
  large: ({ count }) => ingest(documents.large, count),
  /** @param {{ count: number, round: number }} load */
  questions: async ({ count, round }) => {
    for (const message of spread(questions, count, round)) {
      await ask(service.url, { api_key: key, message });
    }
    return {};
  },
  stop: async () => {
    await service.stop();
    setImmediate(() => process.exit(0));
    return {};
  },
};

async function startGuarded() {
  const environment = {
    NODE_ENV: 'test',
    EMBEDDINGS: 'off',
    DATA_DIR: scratchDirectory(),
    API_KEY_PEPPERS: `bench:${randomBytes(32).toString('base64')}`,
  };
  const { secrets } = await storeKeys(environment, 1_000);
  const child = new Child('nest-server.mjs', {
    core: SERVER_CORE,
    parameters: ['guarded'],
    environment,
  });
  return { child, secrets, port: (await child.answer()).port };
}

/**
 * @param {() => object} document
 * @param {number} count
 */
async function ingest(document, count) {
  const { id } = await service.call('POST', '/kbs', { name: 'Round' });
  const all = Array.from({ length: count }, document);
  const upload = async () => {
    for (let next = all.pop(); next; next = all.pop()) {
      await service.call('POST', `/kbs/${id}/documents`, { title: words(4), ...next });
    }
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, upload));
  const path = `/kbs/${id}/documents?status=ready&limit=1`;
  while ((await service.call('GET', path)).total < count) await pause(50);
  return {};
}

process.on('disconnect', () => process.exit());
process.on('message', (/** @type {any} */ message) => {
  const task = tasks[/** @type {keyof typeof tasks} */ (message.task)];
  task(message).then(
    (answer) => process.send?.(answer),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
