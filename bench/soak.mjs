// Half an hour, or SOAK_MINUTES, on three hosts of which one is killed every minute: nothing that was
// acknowledged may be lost, no revoked key be let in, and memory must not grow. Needs root, iproute2,
// nginx and Redis, like test/faults/hosts.e2e.ts.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Deployment } from '../test/support/hosts/deployment.mjs';
import { hasNamespaces } from '../test/support/hosts/network.mjs';
import { ServiceClient } from './soak/service-client.mjs';
import { verify } from './soak/verify.mjs';
import { created, Workload } from './soak/workload.mjs';
import { median, quantile, report, round } from './support.mjs';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 30);
const KILL_EVERY_MS = 60_000;
const SAMPLE_EVERY_MS = 5000;
/** Of the time, in which caches and heaps fill. */
const WARM_UP = 0.2;
/** How much more a host may take at the end, as a share, besides what it varies by. */
const MAX_GROWTH = 0.05;
/** In less, heaps have not reached their size. */
const MIN_MINUTES_FOR_VERDICT = 20;

/** @typedef {{ hours: number, mib: number }} Sample */

export default async function soak() {
  if (!hasNamespaces) throw new Error('Needs root and iproute2, for network namespaces');
  const deployment = await Deployment.start({ LOG_LEVEL: 'warn' });
  try {
    await deployment.startHosts();
    await run(deployment);
  } finally {
    await deployment.remove();
  }
}

/** @param {Deployment} deployment */
async function run(deployment) {
  const over = AbortSignal.timeout(MINUTES * 60_000);
  const client = new ServiceClient(deployment.url, over);
  const kb = created(await client.once('POST', '/kbs', { name: 'Soak' }), 201);
  const body = { name: 'Soak', environment: 'live', rate_limit_per_minute: 1_000_000 };
  const key = created(await client.once('POST', `/kbs/${kb.id}/api-keys`, body), 201);
  const workload = new Workload(client, kb.id, key.api_key);
  const [, kills, samples] = await Promise.all([
    workload.run(),
    killInTurn(deployment, over),
    sampleMemory(deployment, over),
  ]);
  const never = new AbortController().signal;
  const direct = deployment.hosts.map(({ url }) => new ServiceClient(url, never));
  const kept = await verify(workload, direct);
  const memory = [...samples].map(([machine, series]) => memoryRow(machine, series, kills));
  const requests = [...client.tallies].map(([kind, tally]) => ({
    kind,
    answered: tally.latencies.length,
    'refused 503': tally.count(/^503/),
    // Without Retry-After, or without any answer.
    errors: tally.count(/^no answer|^5(?!03)|without Retry-After/),
    'p50 ms': round(median(tally.latencies), 0),
    'p99 ms': round(quantile(tally.latencies, 0.99), 0),
  }));
  report('soak', {
    notes: [
      `${MINUTES} min on three hosts behind nginx, each in a network namespace of its own, with Redis, PostgreSQL and a synchronous standby, all on this machine`,
      'every minute one of the hosts 2 and 3 is killed (SIGKILL) and started again; host 1 lives, so that its memory tells',
      'a client that gets 503 waits as Retry-After says and repeats; uploads with an Idempotency-Key',
      `memory: resident; after the first ${WARM_UP * 100} % of the time, the median of the last third may exceed that of the first third by what the first third varies by (P90 to P10), or by ${MAX_GROWTH * 100} %`,
    ],
    tables: {
      Kept: kept,
      Requests: requests,
      Memory: memory,
      'Memory by minute, MiB': memoryByMinute(samples),
    },
  });
  const failures = [
    ...kept.filter(({ lost }) => lost !== 0),
    ...requests.filter((row) => row.errors),
  ];
  if (failures.length > 0) throw new Error(`Not as it must be: ${JSON.stringify(failures)}`);
}

/**
 * @param {Deployment} deployment
 * @param {AbortSignal} over
 * @returns {Promise<Record<string, number>>} how often, by machine
 */
async function killInTurn(deployment, over) {
  /** @type {Record<string, number>} */
  const kills = {};
  for (let n = 0; await waits(KILL_EVERY_MS, over); n++) {
    const host = deployment.hosts[1 + (n % 2)];
    if (!host) throw new Error('There is no host');
    kills[host.machine] = (kills[host.machine] ?? 0) + 1;
    await host.kill();
    await host.start();
  }
  return kills;
}

/**
 * @param {Deployment} deployment
 * @param {AbortSignal} over
 */
async function sampleMemory(deployment, over) {
  /** @type {Map<string, Sample[]>} */
  const samples = new Map(deployment.hosts.map(({ machine }) => [machine, []]));
  const began = performance.now();
  while (await waits(SAMPLE_EVERY_MS, over)) {
    for (const { machine, pid } of deployment.hosts) {
      const mib = residentMib(pid);
      const hours = (performance.now() - began) / 3_600_000;
      if (mib !== undefined) samples.get(machine)?.push({ hours, mib });
    }
  }
  return samples;
}

/**
 * @param {number} ms
 * @param {AbortSignal} signal
 * @returns {Promise<boolean>} false when it was aborted
 */
const waits = (ms, signal) => pause(ms, true, { signal }).catch(() => false);

/**
 * @param {number} pid
 * @returns {number | undefined} undefined when it has just been killed
 */
function residentMib(pid) {
  try {
    const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kib === undefined ? undefined : Number(kib) / 1024;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} machine
 * @param {Sample[]} series
 * @param {Record<string, number>} kills
 */
function memoryRow(machine, series, kills) {
  const warm = series.slice(Math.floor(series.length * WARM_UP)).map(({ mib }) => mib);
  const third = Math.ceil(warm.length / 3);
  const first = warm.slice(0, third);
  const growth = median(warm.slice(-third)) - median(first);
  const noise = Math.max(quantile(first, 0.9) - quantile(first, 0.1), MAX_GROWTH * median(first));
  const isLongEnough = kills[machine] === undefined && MINUTES >= MIN_MINUTES_FOR_VERDICT;
  return {
    host: machine,
    killed: kills[machine] ?? 0,
    'first third, median': round(median(first), 0),
    'it varies by': round(quantile(first, 0.9) - quantile(first, 0.1), 0),
    'last third, median': round(median(warm.slice(-third)), 0),
    verdict: isLongEnough ? (growth <= noise ? 'met' : 'missed') : '',
  };
}

/** @param {Map<string, Sample[]>} samples */
function memoryByMinute(samples) {
  return Array.from({ length: Math.ceil(MINUTES) }, (_, minute) => ({
    minute: minute + 1,
    ...Object.fromEntries(
      [...samples].map(([machine, series]) => {
        const within = series.filter((sample) => Math.floor(sample.hours * 60) === minute);
        return [machine, within.length > 0 ? round(median(within.map(({ mib }) => mib)), 0) : ''];
      }),
    ),
  }));
}
