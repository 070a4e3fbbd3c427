// How soon the service is ready after its first build, and what it takes while nobody asks.
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase, startPostgres } from '../test/support/postgres.mjs';
import { median, report, round, startService } from './support.mjs';

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
      for (let turn = 0; turn < ROUNDS; turn++) {
        const began = performance.now();
        const service = await startService(first.environment);
        seconds.push((performance.now() - began) / 1000);
        await service.stop();
      }
      const service = await startService(first.environment);
      await pause(AT_REST_MS);
      const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
      const resident = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
      await service.stop();
      const ready = median(seconds);
      rows.push({
        engine,
        'ready after s': round(ready),
        'resident MiB at rest': round(resident, 0),
        verdict: ready < MAX_READY_SECONDS && resident < MAX_RESIDENT_MIB ? 'met' : 'missed',
      });
    }
    report('start', {
      notes: [
        `medians of ${ROUNDS} starts on an up-to-date, empty database, until /health/ready answers`,
        `resident ${AT_REST_MS / 1000} s after a start; aims: ${MAX_READY_SECONDS} s and ${MAX_RESIDENT_MIB} MiB`,
      ],
      tables: { Start: rows },
    });
  } finally {
    await server.stop();
  }
}
