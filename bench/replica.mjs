// What a read replica takes from the primary: two services on one database, of which one has a
// replica, answer the same requests in turns. CPU time is measured, because the servers share the
// cores of this machine.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startReplicatedPostgres } from '../test/support/postgres-standby.mjs';
import { createDatabase } from '../test/support/postgres.mjs';
import { addKnowledgeBase, ask } from './fixtures/knowledge-bases.mjs';
import { readText, spread } from './fixtures/text.mjs';
import { cpuSeconds, median, report, round, scratchDirectory, startService } from './support.mjs';

/** @typedef {import('./support.mjs').Service} Service */

const PASSAGES = 10_000;
const ROUNDS = 9;
const REQUESTS = 100;
const CONNECTIONS = 4;

export default async function replica() {
  const { primary, standby, remove } = await startReplicatedPostgres();
  try {
    const DATABASE_URL = await createDatabase(primary.url);
    const replicaUrl = new URL(DATABASE_URL);
    replicaUrl.port = new URL(standby.url).port;
    const shared = { DATABASE_URL, DATA_DIR: scratchDirectory() };
    const alone = await startService(shared);
    const relieved = await startService({ ...shared, DATABASE_REPLICA_URL: replicaUrl.href });
    const { passages, questions } = readText();
    const secret = await addKnowledgeBase(alone, passages, PASSAGES);
    const [kb] = (await alone.call('GET', '/kbs')).data;
    /** @type {Record<string, (service: Service, question: string) => Promise<unknown>>} */
    const requests = {
      '/query': ({ url }, message) => ask(url, { api_key: secret, message }),
      'list of documents': (service) => service.call('GET', `/kbs/${kb.id}/documents`),
      'analytics of 30 days': (service) => service.call('GET', `/kbs/${kb.id}/analytics`),
    };
    const rows = [];
    for (const [name, request] of Object.entries(requests)) {
      rows.push({ request: name, ...(await compare(request)) });
    }
    await Promise.all([alone.stop(), relieved.stop()]);
    report('replica', {
      notes: [
        `medians of ${ROUNDS} rounds of ${REQUESTS} requests, ${CONNECTIONS} at once; a knowledge base of ${PASSAGES.toLocaleString('en')} passages`,
        'CPU time of the primary for a request, with what it does in the background, and of the standby, with replay',
      ],
      tables: { 'CPU ms of PostgreSQL for a request': rows },
    });

    /** @param {(service: Service, question: string) => Promise<unknown>} request */
    async function compare(request) {
      const cpuMs = { without: [0], with: [0], standby: [0] };
      for (let turn = 0; turn < ROUNDS; turn++) {
        const asked = spread(questions, REQUESTS, turn);
        for (const [name, service] of /** @type {const} */ ([
          ['without', alone],
          ['with', relieved],
        ])) {
          const before = [primary, standby].map(cpuOf);
          await inParallel(asked, (question) => request(service, question));
          const [atPrimary = 0, atStandby = 0] = [primary, standby].map(
            (server, index) => ((cpuOf(server) - Number(before[index])) * 1000) / REQUESTS,
          );
          cpuMs[name].push(atPrimary);
          if (name === 'with') cpuMs.standby.push(atStandby);
        }
      }
      const [without, beside, at] = [cpuMs.without, cpuMs.with, cpuMs.standby].map((values) =>
        median(values.slice(1)),
      );
      return {
        'primary alone': round(Number(without)),
        'primary with a replica': round(Number(beside)),
        ratio: round(Number(beside) / Number(without)),
        replica: round(Number(at)),
      };
    }
  } finally {
    await remove();
  }
}

/** @param {{ directory: string }} server */
const cpuOf = ({ directory }) =>
  cpuSeconds(Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]));

/**
 * @param {string[]} questions
 * @param {(question: string) => Promise<unknown>} request
 */
async function inParallel(questions, request) {
  const left = [...questions];
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let question = left.pop(); question !== undefined; question = left.pop()) {
        await request(question);
      }
    }),
  );
}
