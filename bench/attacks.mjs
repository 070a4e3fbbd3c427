import { fork } from 'node:child_process';
import { once } from 'node:events';
import { HOSTILE_BODIES, sendHostile } from '../test/support/hostile-bodies.mjs';
import { cpuSeconds, report, round, startService } from './support.mjs';

/**
 * Requests that are made to be slow, one after the other: what each costs the process, and how long
 * `/health/live` waits meanwhile. `--before=FOLDER` measures the service that is built there beside it.
 */

const REPETITIONS = 3;

/** Of turns between users, which this benchmark does not measure itself. */
const TURNS = [
  { attack: 'one user asks 70 knowledge bases at once', waits: 'a stranger’s /chat' },
  { attack: 'one user evaluates 14 knowledge bases', waits: 'a stranger’s evaluation' },
].map((row) => ({ ...row, 'before: ms': '', 'after: ms': '' }));

/** @typedef {{ status: number, bytes: number, cpu: number, wait: number }} Measured */

export default async function attacks() {
  const before = process.argv.find((argument) => argument.startsWith('--before='))?.split('=')[1];
  const builds = [...(before === undefined ? [] : [{ name: 'before', directory: before }])];
  /** @type {Record<string, Map<string, Measured>>} */
  const measured = {};
  for (const { name, directory } of [...builds, { name: 'after', directory: '.' }]) {
    measured[name] = await measure(directory);
  }
  const rows = HOSTILE_BODIES.map(({ name: attack, sender }) => ({
    attack,
    sender,
    ...Object.fromEntries(
      Object.entries(measured).flatMap(([build, results]) => {
        const { status, bytes, cpu, wait } = results.get(attack) ?? {};
        return [
          [`${build}: CPU ms`, cpu ?? ''],
          [`${build}: /health/live ms`, wait ?? ''],
          [`${build}: answer`, status === undefined ? '' : `${status}, ${kib(bytes)} KiB`],
        ];
      }),
    ),
  }));
  report('attacks', {
    notes: [
      `medians of ${REPETITIONS} requests for CPU of the process, which includes answering /health/live 50 times and one /query 40 times a second; the longest wait of /health/live of all of them`,
      'waits include those for a processor of a machine that does other work at the same time',
    ],
    tables: { 'Bodies that are made to be slow': rows, 'Many knowledge bases of one user': TURNS },
  });
}

/** @param {number} [bytes] */
const kib = (bytes = 0) => round(bytes / 1024, 1);

/** @param {string} directory */
async function measure(directory) {
  const service = await startService({}, directory);
  const bystander = await startBystander(service);
  const who = await prepare(service);
  /** @type {Map<string, Measured>} */
  const results = new Map();
  for (const hostile of HOSTILE_BODIES) {
    const answers = [];
    for (let count = 0; count < REPETITIONS; count++) {
      bystander.send({ begin: true });
      const cpu = cpuSeconds(service.pid);
      const { status, bytes } = await sendHostile(service.url, hostile, who);
      const used = cpuSeconds(service.pid) - cpu;
      bystander.send({ begin: false });
      const [{ latencies }] = await once(bystander, 'message');
      answers.push({ status, bytes, cpu: used * 1000, wait: Math.max(0, ...latencies.live) });
    }
    const [last] = answers.slice(-1);
    const cpus = answers.map(({ cpu }) => cpu).sort((one, other) => one - other);
    results.set(hostile.name, {
      status: last?.status ?? 0,
      bytes: Math.max(...answers.map(({ bytes }) => bytes)),
      cpu: round(cpus[Math.floor(cpus.length / 2)] ?? 0, 0),
      wait: round(Math.max(...answers.map(({ wait }) => wait)), 0),
    });
    console.log(directory, hostile.name, results.get(hostile.name));
  }
  bystander.kill();
  await service.stop();
  return results;
}

/** @param {import('./support.mjs').Service} service */
async function prepare({ url, call }) {
  const { id: kbId } = await call('POST', '/kbs', { name: 'Attacked' });
  const scopes = ['query', 'chat', 'feedback', 'documents:read', 'documents:write'];
  const key = { name: 'Attacks', environment: 'live', scopes };
  const { api_key: apiKey } = await call('POST', `/kbs/${kbId}/api-keys`, key);
  const response = await globalThis.fetch(`${url}/api/v1/client-tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: apiKey, end_user_id: 'visitor', expires_in_seconds: 3600 }),
  });
  const { client_token: token } = /** @type {{ client_token: string }} */ (await response.json());
  return { kbId, userId: 'bench', token, apiKey };
}

/**
 * Another tenant's process, which asks `/health/live` and `/query` all the time.
 *
 * @param {import('./support.mjs').Service} service
 */
async function startBystander({ url, call }) {
  const { id } = await call('POST', '/kbs', { name: 'Bystander' });
  const key = { name: 'Bystander', environment: 'live' };
  const { api_key: apiKey } = await call('POST', `/kbs/${id}/api-keys`, key);
  const child = fork('test/support/bystander.mjs', [url, apiKey]);
  await once(child, 'message');
  return child;
}
