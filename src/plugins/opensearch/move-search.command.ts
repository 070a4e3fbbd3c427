import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ConfigurationError } from '../../platform/config/configuration-error.js';
import { JobLock, type MayContinue } from '../../platform/jobs/job-lock.js';
import { MOVES, OwnIndexes } from './own-indexes.js';
import { WORD_INDEX } from '../../documents/search/search.module.js';
import type { ThreadWrittenIndex } from '../../documents/search/thread-written-index.js';
import { VectorStore } from '../../documents/search/vector-store.js';
import { inApplication } from '../../operations/application.js';
import { runCommand } from '../../operations/command.js';

/** The pause between attempts while another move is running. */
const RETRY_MS = 500;
const USAGE = 'npm run search:move -- --to opensearch|database [--after <kb_id>]';

/**
 * `npm run search:move` moves the words and vectors of all knowledge bases. Services may be running. It
 * prints each knowledge base that is done, and continues after it with `--after`.
 */
await runCommand(async (config) => {
  const { to, after = '' } = parseArgs({
    options: { to: { type: 'string' }, after: { type: 'string' } },
  }).values;
  if (to !== 'opensearch' && to !== 'database') throw new ConfigurationError(USAGE);
  if (to === 'opensearch' && config.SEARCH_URL.length === 0) {
    throw new ConfigurationError('Set SEARCH_URL to the value that the services use.');
  }
  await inApplication(config, ['opensearch'], async (app) => {
    const dataSource = app.get<DataSource>(getDataSourceToken());
    const index = app.get<ThreadWrittenIndex>(WORD_INDEX);
    const vectors = app.get(VectorStore);
    const ownIndexes = app.get(OwnIndexes);
    const lock = app.get(JobLock);
    const rows = await dataSource.query<{ id: string }[]>(
      `SELECT id FROM knowledge_bases WHERE state = 'active' ORDER BY id`,
    );
    const waiting = rows.filter(({ id }) => id > after);
    const withoutVectors: string[] = [];
    const moveAll = async (mayContinue: MayContinue) => {
      const go = async () => {
        if (await mayContinue()) return true;
        throw new Error('A service may have moved some in the meantime: run it again');
      };
      for (const { id } of waiting) {
        if (to === 'database') {
          // Vectors are moved first, because questions read the place of both with the mark of the words.
          await vectors.move(id, 'database', go);
          await index.move(id, 'database', go);
          await ownIndexes.leave(id);
        } else {
          await ownIndexes.restore(id);
          await index.move(id, 'engine', go);
          if (!(await vectors.move(id, 'engine', go))) withoutVectors.push(id);
        }
        console.log(id);
      }
    };
    // A service may be moving a large knowledge base within the cluster; it begins no other in the
    // meantime.
    const { signal } = new AbortController();
    await lock.run(MOVES, signal, async (mayContinue) => {
      while (!(await mayContinue())) await pause(RETRY_MS);
      await moveAll(mayContinue);
    });
    console.log(
      `${waiting.length} knowledge bases have their words in ${to === 'database' ? 'the database' : 'OpenSearch'}`,
    );
    if (withoutVectors.length > 0) {
      console.log(
        'Vectors stay in the database: the cluster has no k-NN plugin, or refuses its index',
      );
    }
  });
});
