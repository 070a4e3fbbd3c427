import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { runCommand } from './command.js';
import { migrate } from '../platform/database/migrate.js';
import { BackgroundJob } from '../platform/jobs/background-job.js';
import { ContentMove } from '../documents/contents/content-move.js';

const REPORT_EVERY = 1000;

/** `npm run contents:move`: moves the originals of documents to CONTENT_STORE; services may be running. */
await runCommand(async (config) => {
  await migrate(config);
  BackgroundJob.isEnabled = false;
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(config), {
    logger: ['error', 'warn'],
    abortOnError: false,
  });
  try {
    let count = 0;
    const { moved, missing } = await app.get(ContentMove).run(() => {
      if (++count % REPORT_EVERY === 0) console.error(`${count} moved`);
    });
    console.log(`${moved} moved to ${config.contentStore}, ${missing} missing from their store`);
  } finally {
    await app.close();
  }
});
