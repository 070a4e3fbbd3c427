// What a pooler costs: the same questions through PgBouncer in transaction mode and without it, in
// turns. CPU time per request is measured, because other work on the machine hardly changes it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPgBouncer } from '../test/support/pgbouncer.mjs';
import { createDatabase, startPostgres } from '../test/support/postgres.mjs';
import { addKnowledgeBase } from './fixtures/knowledge-bases.mjs';
import { readText, spread } from './fixtures/text.mjs';
import { cpuSeconds, median, report, round, startService } from './support.mjs';

const PASSAGES = 1000;
const ROUNDS = 9;
/** Requests in a round. */
const REQUESTS = 300;
const AT_ONCE = 4;

export default async function pooler() {
  const { url: serverUrl, server, directory } = await startPostgres();
  const postmaster = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const bouncer = await startPgBouncer(serverUrl);
  try {
    const { passages, questions, source } = readText();
    const direct = await startService({ DATABASE_URL: await createDatabase(serverUrl) });
    const key = await addKnowledgeBase(direct, passages, PASSAGES);
    const url = new URL(String(direct.environment['DATABASE_URL']));
    url.port = String(bouncer.port);
    const pooled = await startService({
      ...direct.environment,
      DATABASE_URL: url.href,
      DATABASE_POOLER: 'transaction',
    });
    const variants = [
      { through: 'no pooler', service: direct, ms: times() },
      { through: 'PgBouncer', service: pooled, ms: times() },
    ];
    for (let turn = -1; turn < ROUNDS; turn++) {
      const messages = spread(questions, REQUESTS, turn + 1);
      for (const { service, ms } of turn % 2 === 0 ? variants : variants.toReversed()) {
        const pids = { service: service.pid, database: postmaster, pooler: bouncer.pid };
        const used = () => Object.values(pids).map(cpuSeconds);
        const before = used();
        const rest = messages.values();
        const ask = async () => {
          for (const message of rest) {
            await service.call('POST', '/query', { api_key: key, message });
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, ask));
        const [own = 0, database = 0, between = 0] = used().map(
          (seconds, index) => ((seconds - Number(before[index])) * 1000) / REQUESTS,
        );
        // The first round warms up.
        if (turn < 0) continue;
        ms.service.push(own);
        ms.database.push(database);
        ms.pooler.push(between);
        ms.all.push(own + database + between);
      }
    }
    await Promise.all([direct.stop(), pooled.stop()]);
    const first = variants[0]?.ms;
    report('pooler', {
      notes: [
        `medians of ${ROUNDS} rounds of ${REQUESTS} questions by /query, ${AT_ONCE} at once; ${PASSAGES} passages of ${source}`,
        'both in turns on one database; the ratio is taken within a round',
      ],
      tables: {
        'CPU ms for a /query': variants.map(({ through, ms }) => ({
          through,
          service: round(median(ms.service)),
          PostgreSQL: round(median(ms.database)),
          pooler: round(median(ms.pooler)),
          all: round(median(ms.all)),
          'service, to none': ratio(ms.service, first?.service),
          'PostgreSQL, to none': ratio(ms.database, first?.database),
          'all, to none': ratio(ms.all, first?.all),
        })),
      },
    });
  } finally {
    await bouncer.stop();
    await server.stop();
  }
}

const times = () => ({
  /** @type {number[]} */
  service: [],
  /** @type {number[]} */
  database: [],
  /** @type {number[]} */
  pooler: [],
  /** @type {number[]} */
  all: [],
});

/**
 * @param {number[]} values
 * @param {number[]} [base] of the same rounds
 */
const ratio = (values, base = []) =>
  round(median(values.map((value, turn) => value / Number(base[turn]))));
