import 'reflect-metadata';
import cluster from 'node:cluster';
import { Config } from './platform/config/config.js';
import { ConfigurationError } from './platform/config/configuration-error.js';
import { listenError } from './platform/config/listen-error.js';
import { hasConsole } from './platform/console/serve-console.js';
import { redactDeep } from './platform/http/redact.js';
import { startTelemetry } from './platform/telemetry/start-telemetry.js';
import { telemetrySettings } from './platform/telemetry/telemetry-settings.js';
import { runWorkers } from './workers.js';

try {
  const config = Config.fromEnvironment(process.env);
  if (cluster.isPrimary) {
    await requireEmbeddings(config);
    // Throws if a variable is invalid, before each of several workers would.
    telemetrySettings(process.env);
  }
  const url =
    cluster.isPrimary && config.workers > 1 ? await runWorkers(config) : await serve(config);
  if (cluster.isPrimary) {
    const page = hasConsole() ? `${url}/console` : url;
    console.log(`Latchkey listens on ${page} — API documentation: ${url}/docs`);
  }
} catch (error) {
  // An operator can act on the message of a ConfigurationError; other errors need their stack.
  console.error(error instanceof ConfigurationError ? error.message : redactDeep(error));
  process.exit(1);
}

async function requireEmbeddings(config: Config): Promise<void> {
  if (!config.hasEmbeddings) return;
  const { vectorExtensionProblem } = await import('./documents/search/sqlite/vector-extension.js');
  const problem = vectorExtensionProblem(config);
  if (problem !== undefined) throw new ConfigurationError(problem);
  await requireModel(config);
}

/** Checked before the service starts, where the failure would be logged once by each worker. */
async function requireModel({ embeddingsModelPath, workers }: Config): Promise<void> {
  if (embeddingsModelPath === undefined) return;
  const { LocalEmbeddings } = await import('./documents/search/local-embeddings.js');
  const embeddings = await LocalEmbeddings.load(embeddingsModelPath);
  if (workers > 1) await embeddings.close();
}

async function serve(config: Config): Promise<string> {
  await startTelemetry(process.env);
  // Imported here, because the primary process of several workers does not need it.
  const { createApp } = await import('./app.js');
  const app = await createApp(config);
  try {
    await app.listen(config.port, config.host);
  } catch (error) {
    throw listenError(error, 'PORT', config.port);
  }
  return (await app.getUrl()).replace('[::1]', 'localhost').replace('127.0.0.1', 'localhost');
}
