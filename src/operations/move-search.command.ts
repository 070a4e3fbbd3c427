import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ConfigurationError } from '../platform/config/configuration-error.js';
import { WORD_INDEX } from '../documents/search/search.module.js';
import type { ThreadWrittenIndex } from '../documents/search/thread-written-index.js';
import { VectorStore } from '../documents/search/vector-store.js';
import { inApplication } from './application.js';
import { runCommand } from './command.js';

const PLACES = { opensearch: 'engine', database: 'database' } as const;
const USAGE = 'npm run search:move -- --to opensearch|database [--after <kb_id>]';

/**
 * `npm run search:move`: moves the words and vectors of all knowledge bases; services may be running. It prints each
 * that is done, and goes on behind it with `--after`.
 */
await runCommand(async (config) => {
  const { to, after = '' } = parseArgs({
    options: { to: { type: 'string' }, after: { type: 'string' } },
  }).values;
  if (to !== 'opensearch' && to !== 'database') throw new ConfigurationError(USAGE);
  if (to === 'opensearch' && !config.searchEngine) {
    throw new ConfigurationError('Give SEARCH_URL, as the services have it.');
  }
  await inApplication(config, async (app) => {
    const dataSource = app.get<DataSource>(getDataSourceToken());
    const index = app.get<ThreadWrittenIndex>(WORD_INDEX);
    const vectors = app.get(VectorStore);
    let haveVectors = true;
    const rows = await dataSource.query<{ id: string }[]>(
      `SELECT id FROM knowledge_bases WHERE state = 'active' ORDER BY id`,
    );
    const waiting = rows.filter(({ id }) => id > after);
    for (const { id } of waiting) {
      await index.move(id, PLACES[to]);
      haveVectors = (await vectors.move(id, PLACES[to])) && haveVectors;
      console.log(id);
    }
    console.log(
      `${waiting.length} knowledge bases have their words in ${to === 'database' ? 'the database' : 'OpenSearch'}`,
    );
    if (!haveVectors) {
      console.log(
        'Vectors stay in the database: the cluster has no k-NN plugin, or refuses its index',
      );
    }
  });
});
