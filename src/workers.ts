import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { AggregatorRegistry } from 'prom-client';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import type { Config } from './platform/config/config.js';
import { migrate } from './platform/database/migrate.js';
import { WorkerStarts } from './platform/jobs/worker-starts.js';
import { serveMetrics } from './platform/metrics/metrics-server.js';

/** Pause before a worker is replaced, so that one that always dies soon costs little CPU. */
const RESTART_PAUSE_MS = 1000;

/**
 * Runs the service in several worker processes on one port, and replaces those that die. This process
 * only distributes connections, and ends after its workers.
 *
 * @returns the URL, when the first worker listens
 */
export async function runWorkers(config: Config): Promise<string> {
  const stopping = new AbortController();
  let server: Awaited<ReturnType<typeof serveMetrics>> | undefined;
  const starts = new WorkerStarts('service', {
    start: () => {
      startMissing();
    },
  });
  const stop = (signal: NodeJS.Signals) => {
    stopping.abort();
    starts.close();
    // Otherwise it is 1 when no worker has listened.
    process.exitCode ??= 0;
    server?.close();
    server?.closeAllConnections();
    for (const worker of living()) worker.process.kill(signal);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  await migrate(config);
  // Rate limits that workers count in memory are counted here for all of them.
  new RateLimiterClusterMaster();
  const metrics = new AggregatorRegistry();
  if (config.metricsPort !== undefined) {
    server = await serveMetrics(config, config.metricsPort, {
      contentType: metrics.contentType,
      metrics: () => metrics.clusterMetrics(),
    });
  }
  if (stopping.signal.aborted) process.exit();

  cluster.setupPrimary({ exec: fileURLToPath(new URL('./main.js', import.meta.url)) });
  let hasServed = false;
  const start = () => {
    if (stopping.signal.aborted) return;
    let listened = false;
    const worker = cluster.fork().once('listening', () => {
      listened = hasServed = true;
      starts.succeeded();
      startMissing();
    });
    worker.once('exit', (code: number, signal: string) => {
      if (!hasServed && !stopping.signal.aborted) {
        // It could not start, and neither could another one.
        process.exitCode = code === 0 ? 1 : code;
        stop('SIGTERM');
      }
      if (stopping.signal.aborted) {
        // main.ts may still wait for the first worker; Node.js would end with an error code.
        if (living().length === 0) process.exit();
        return;
      }
      const reason = signal || `exit code ${code}`;
      if (!listened) {
        starts.failed(`it ended with ${reason}`);
        return;
      }
      console.error(`A worker ended (${reason}) and is replaced`);
      setTimeout(startMissing, RESTART_PAUSE_MS);
    });
  };
  const startMissing = () => {
    for (let workers = living().length; workers < config.workers; workers++) start();
  };
  startMissing();
  return new Promise((resolve) => {
    cluster.once('listening', (_, { port }) => {
      resolve(`http://localhost:${port}`);
    });
  });
}

const living = () =>
  Object.values(cluster.workers ?? {}).filter(
    (worker): worker is Worker => worker !== undefined && !worker.isDead(),
  );
