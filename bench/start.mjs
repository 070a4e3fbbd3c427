// How soon the service is ready after its first build, and what it takes while nobody asks: nobody
// yet, or nobody any more, since threads begin with the first document and the first question.
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase, startPostgres } from '../test/support/postgres.mjs';
import { cpuSeconds, median, report, round, startService } from './support.mjs';

const ROUNDS = 7;
const AT_REST_MS = 5000;
const MAX_READY_SECONDS = 2;
const MAX_RESIDENT_MIB = 150;

export default async function start() {
  const { url: serverUrl, server } = await startPostgres();
  try {
    const rows = [];
    for (const engine of ['SQLite', 'PostgreSQL']) {
      const database = engine === 'SQLite' ? {} : { DATABASE_URL: await createDatabase(serverUrl) };
      const first = await startService(database);
      await first.stop();
      const seconds = [];
      const cpu = [];
      for (let turn = 0; turn < ROUNDS; turn++) {
        const began = performance.now();
        const service = await startService(first.environment);
        seconds.push((performance.now() - began) / 1000);
        cpu.push(cpuSeconds(service.pid));
        await service.stop();
      }
      const service = await startService(first.environment);
      await pause(AT_REST_MS);
      const resident = residentMib(service.pid);
      await useOnce(service);
      await pause(AT_REST_MS);
      const residentOnceUsed = residentMib(service.pid);
      await service.stop();
      const ready = median(seconds);
      rows.push({
        engine,
        'ready after s': round(ready),
        'CPU s until then': round(median(cpu)),
        'resident MiB at rest': round(resident, 0),
        'once used': round(residentOnceUsed, 0),
        verdict: ready < MAX_READY_SECONDS && resident < MAX_RESIDENT_MIB ? 'met' : 'missed',
      });
    }
    report('start', {
      notes: [
        `medians of ${ROUNDS} starts on an up-to-date, empty database, until /health/ready answers`,
        `resident ${AT_REST_MS / 1000} s after a start; aims: ${MAX_READY_SECONDS} s and ${MAX_RESIDENT_MIB} MiB`,
        `once used: ${AT_REST_MS / 1000} s after a document was indexed and a question answered, without the process that read it`,
      ],
      tables: { Start: rows },
    });
  } finally {
    await server.stop();
  }
}

/** @param {number} pid */
function residentMib(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** @param {import('./support.mjs').Service} service */
async function useOnce(service) {
  const { id: kbId } = await service.call('POST', '/kbs', { name: 'Handbook' });
  const { api_key } = await service.call('POST', `/kbs/${kbId}/api-keys`, {
    name: 'bench',
    environment: 'test',
  });
  const text = 'An order may be returned within 30 days.';
  await service.call('POST', `/kbs/${kbId}/documents`, { title: 'Returns', text });
  const ready = () => service.call('GET', `/kbs/${kbId}/documents?status=ready&limit=1`);
  while ((await ready()).total === 0) await pause(100);
  await service.call('POST', '/query', { api_key, message: 'How long may an order be returned?' });
}
