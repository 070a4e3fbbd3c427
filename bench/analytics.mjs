// What reports cost over a million messages, and what other requests feel of them.
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase, startPostgres } from '../test/support/postgres.mjs';
import { fill } from './analytics/fill.mjs';
import { quantile, report, round, startService } from './support.mjs';

/** @typedef {import('./support.mjs').Service} Service */

const DAYS = 90;
const END_USERS = 20_000;
const FEW = 100_000;
const MANY = 1_000_000;
const ROUNDS = 20;
const MAX_MS = 100;

const DAY_MS = 86_400_000;
const day = (/** @type {number} */ ago) => new Date(Date.now() - ago * DAY_MS).toISOString();
const period = `from=${day(DAYS).slice(0, 10)}&to=${day(-1).slice(0, 10)}`;

/** Each by its name, below the knowledge base. */
const REPORTS = {
  '90 days, UTC': `analytics?${period}`,
  '90 days, Berlin': `analytics?${period}&timezone=Europe/Berlin`,
  '90 days, Kathmandu': `analytics?${period}&timezone=Asia/Kathmandu`,
  '90 days, one environment': `analytics?${period}&environment=live`,
  '90 days, cut to the second': `analytics?from=${day(DAYS)}&to=${day(0)}`,
  '90 days, by key': `analytics?${period}&group_by=api_key`,
  '7 days by the hour': `analytics?from=${day(7).slice(0, 10)}&interval=hour`,
  'unanswered questions, 90 days': `analytics/unanswered?${period}`,
  'top documents, 90 days': `analytics/top-documents?${period}`,
};

export default async function analytics() {
  const { url: serverUrl, server } = await startPostgres();
  /** @type {Record<string, string | number>[]} */
  const rows = [];
  /** @type {Record<string, string | number>[]} */
  const felt = [];
  try {
    for (const engine of ['SQLite', 'PostgreSQL']) {
      for (const messages of [FEW, MANY]) {
        const { service, kbId } = await filled(engine, serverUrl, messages);
        for (const [name, path] of Object.entries(REPORTS)) {
          const times = await measure(service, `/kbs/${kbId}/${path}`);
          const p50 = quantile(times, 0.5);
          rows.push({
            engine,
            messages,
            report: name,
            'p50 ms': round(p50, 1),
            'p95 ms': round(quantile(times, 0.95), 1),
            verdict: p50 < MAX_MS ? 'met' : 'missed',
          });
        }
        felt.push({ engine, messages, ...(await besideReports(service, kbId)) });
        await service.stop();
      }
    }
  } finally {
    await server.stop();
  }
  report('analytics', {
    notes: [
      `chats of ${DAYS} days with 3 keys and ${END_USERS} end users, one question in ten unanswered, written by SQL`,
      `one report at a time over HTTP, ${ROUNDS} of each; the aim is ${MAX_MS} ms at the median over ${MANY} messages`,
      'beside reports: how long /health/live takes while reports follow each other without a pause',
    ],
    tables: { Reports: rows, 'Other requests beside reports': felt },
  });
}

/**
 * @param {string} engine
 * @param {string} serverUrl
 * @param {number} messages
 */
async function filled(engine, serverUrl, messages) {
  const database = engine === 'SQLite' ? {} : { DATABASE_URL: await createDatabase(serverUrl) };
  const first = await startService(database);
  const kb = await first.call('POST', '/kbs', { name: `${messages} messages` });
  const keys = [];
  for (const environment of ['live', 'live', 'test']) {
    const body = { name: 'Benchmark', environment };
    keys.push((await first.call('POST', `/kbs/${kb.id}/api-keys`, body)).id);
  }
  await first.stop();
  await fill(first.environment, kb.id, keys, { messages, days: DAYS, endUsers: END_USERS });
  return { service: await startService(first.environment), kbId: kb.id };
}

/**
 * @param {Service} service
 * @param {string} path
 */
async function measure(service, path) {
  /** @type {number[]} */
  const times = [];
  for (let n = 0; n <= ROUNDS; n++) {
    const start = performance.now();
    await service.call('GET', path);
    // The first one warms up.
    if (n > 0) times.push(performance.now() - start);
  }
  return times;
}

/**
 * @param {Service} service
 * @param {string} kbId
 */
async function besideReports(service, kbId) {
  const probe = async () => {
    const start = performance.now();
    await (await globalThis.fetch(`${service.url}/health/live`)).arrayBuffer();
    return performance.now() - start;
  };
  const idle = [];
  for (let n = 0; n < 200; n++) idle.push(await probe());
  let done = false;
  const reports = measure(service, `/kbs/${kbId}/${REPORTS['90 days, Berlin']}`).finally(() => {
    done = true;
  });
  const busy = [];
  while (!done) {
    busy.push(await probe());
    await pause(2);
  }
  await reports;
  return {
    'p95 ms idle': round(quantile(idle, 0.95)),
    'p95 ms beside reports': round(quantile(busy, 0.95)),
  };
}
