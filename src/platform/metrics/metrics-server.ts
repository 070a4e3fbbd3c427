import { createServer, type Server } from 'node:http';
import type { Config } from '../config/config.js';
import { listenError } from '../config/listen-error.js';

interface MetricsSource {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** Serves `GET /metrics` for Prometheus on a separate port that only the operator can reach. */
export async function serveMetrics(
  { HOST }: Config,
  port: number,
  source: MetricsSource,
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    source.metrics().then(
      (text) => response.writeHead(200, { 'content-type': source.contentType }).end(text),
      () => response.writeHead(503).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, HOST, resolve);
  }).catch((error: unknown) => {
    throw listenError(error, 'METRICS_PORT', port);
  });
  return server;
}
