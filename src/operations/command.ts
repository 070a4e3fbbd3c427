import { Config } from '../platform/config/config.js';
import { ConfigurationError } from '../platform/config/configuration-error.js';
import { redactDeep } from '../platform/http/redact.js';

/** Runs an operator's command with the configuration of the service, which may be running. */
export async function runCommand(work: (config: Config) => Promise<void>): Promise<void> {
  try {
    await work(Config.fromEnvironment(process.env));
  } catch (error) {
    console.error(error instanceof ConfigurationError ? error.message : redactDeep(error));
    process.exitCode = 1;
  }
}
