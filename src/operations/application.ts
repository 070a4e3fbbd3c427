import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { loadPlugins } from '../plugins.js';
import type { Config } from '../platform/config/config.js';
import { migrate } from '../platform/database/migrate.js';
import { Jobs } from '../platform/jobs/jobs.js';

/** Runs `work` with the providers of the service, without its background jobs. */
export async function inApplication(
  config: Config,
  work: (app: INestApplicationContext) => Promise<void>,
): Promise<void> {
  await migrate(config);
  Jobs.isEnabled = false;
  const app = await NestFactory.createApplicationContext(
    AppModule.forRoot(config, await loadPlugins(config)),
    {
      logger: ['error', 'warn'],
      abortOnError: false,
    },
  );
  try {
    await work(app);
  } finally {
    await app.close();
  }
}
