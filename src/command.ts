import { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { Config } from './config/config.js';
import { ConfigurationError } from './config/configuration-error.js';
import { migrate } from './database/migrate.js';

/** Runs work of an operator on the application's own services, beside running processes or alone. */
export async function runCommand(
  work: (app: INestApplicationContext) => Promise<void>,
): Promise<void> {
  try {
    const config = Config.fromEnvironment(process.env);
    await migrate(config);
    const app = await NestFactory.createApplicationContext(AppModule.forRoot(config), {
      logger: ['error', 'warn'],
      abortOnError: false,
    });
    try {
      await work(app);
    } finally {
      await app.close();
    }
  } catch (error) {
    console.error(error instanceof ConfigurationError ? error.message : error);
    process.exitCode = 1;
  }
}
