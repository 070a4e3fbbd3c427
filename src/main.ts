import 'reflect-metadata';
import { Config } from './platform/config/config.js';
import { ConfigurationError } from './platform/config/configuration-error.js';
import { listenError } from './platform/config/listen-error.js';
import { hasConsole } from './platform/console/serve-console.js';
import { redactDeep } from './platform/http/redact.js';
import { endProcess } from './platform/process-end.js';
import { startTelemetry } from './platform/telemetry/start-telemetry.js';
import { readTelemetrySettings } from './platform/telemetry/telemetry-settings.js';

try {
  const config = Config.fromEnvironment(process.env);
  // Throws if a variable is invalid.
  readTelemetrySettings(process.env);
  const url = await serve(config);
  const page = hasConsole() ? `${url}/console` : url;
  console.log(`Latchkey listens on ${page} — API documentation: ${url}/docs`);
} catch (error) {
  // An operator can act on the message of a ConfigurationError; other errors need their stack.
  console.error(error instanceof ConfigurationError ? error.message : redactDeep(error));
  endProcess(1);
}

async function serve(config: Config): Promise<string> {
  await startTelemetry(process.env);
  // Loading the application takes most of a start; what is wrong with a variable is said before.
  const { createApp } = await import('./app.js');
  const app = await createApp(config);
  try {
    await app.listen(config.PORT, config.HOST);
  } catch (error) {
    // Its jobs have begun.
    void app.close().catch(() => undefined);
    throw listenError(error, 'PORT', config.PORT);
  }
  return (await app.getUrl()).replace('[::1]', 'localhost').replace('127.0.0.1', 'localhost');
}
