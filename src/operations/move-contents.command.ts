import 'reflect-metadata';
import { inApplication } from './application.js';
import { runCommand } from './command.js';
import { ContentMove } from '../documents/contents/content-move.js';

const REPORT_EVERY = 1000;

/** `npm run contents:move` moves the originals of documents to CONTENT_STORE. Services may be running. */
await runCommand((config) =>
  inApplication(config, [], async (app) => {
    let count = 0;
    const { moved, missing } = await app.get(ContentMove).run(() => {
      if (++count % REPORT_EVERY === 0) console.error(`${count} moved`);
    });
    console.log(`${moved} moved to ${config.contentStore}, ${missing} missing from their store`);
  }),
);
