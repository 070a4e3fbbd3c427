import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { loadPlugins } from '../plugins.js';
import type { Config } from '../platform/config/config.js';
import { ConfigurationError } from '../platform/config/configuration-error.js';
import { migrate } from '../platform/database/migrate.js';
import { Jobs } from '../platform/jobs/jobs.js';

/**
 * Runs `work` with the providers of the service, without its background jobs.
 *
 * @param needs the names of the plugins whose providers `work` uses
 * @throws ConfigurationError if one of them does not run
 */
export async function inApplication(
  config: Config,
  needs: readonly string[],
  work: (app: INestApplicationContext) => Promise<void>,
): Promise<void> {
  const plugins = await loadPlugins(config);
  const missing = needs.find((needed) => !plugins.some(({ name }) => name === needed));
  if (missing !== undefined) {
    throw new ConfigurationError(
      `This command needs the plugin ${missing}, which PLUGINS leaves out`,
    );
  }
  await migrate(config);
  Jobs.isEnabled = false;
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(config, plugins), {
    logger: ['error', 'warn'],
    abortOnError: false,
  });
  try {
    await work(app);
  } finally {
    await app.close();
  }
}
