import { join } from 'node:path';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { Config } from '../../config/config.js';
import { sqliteFile } from '../../database/data-source-options.js';
import { Passage, SearchIndex, SearchQuery } from '../search-index.js';

/** FTS5 in worker threads: SQLite answers synchronously and would hold up every other request. */
@Injectable()
export class SqliteSearchIndex extends SearchIndex implements OnApplicationShutdown {
  private readonly workers: Piscina;

  constructor(config: Config) {
    super();
    this.workers = new Piscina({
      filename: new URL('./sqlite-search.worker.js', import.meta.url).href,
      workerData: { directory: join(config.dataDir, 'search'), database: sqliteFile(config) },
      minThreads: 1,
      maxThreads: 2,
    });
  }

  override add(kbId: string, documentId: string, version: number): Promise<void> {
    return this.workers.run({ kbId, documentId, version }, { name: 'add' }) as Promise<void>;
  }

  override remove(kbId: string, chunkNumbers: number[]): Promise<void> {
    return this.workers.run({ kbId, chunkNumbers }, { name: 'remove' }) as Promise<void>;
  }

  override drop(kbId: string): Promise<void> {
    return this.workers.run({ kbId }, { name: 'drop' }) as Promise<void>;
  }

  override search(query: SearchQuery): Promise<Passage[]> {
    return this.workers.run(query, { name: 'search' }) as Promise<Passage[]>;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.workers.destroy();
  }
}
