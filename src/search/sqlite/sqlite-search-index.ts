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
      // Kept, with the indexes they have open.
      minThreads: 2,
      maxThreads: 2,
    });
  }

  override add(kbId: string, documentId: string, version: number): Promise<void> {
    return this.run('add', { kbId, documentId, version });
  }

  override remove(kbId: string, chunkNumbers: number[]): Promise<void> {
    return this.run('remove', { kbId, chunkNumbers });
  }

  override drop(kbId: string): Promise<void> {
    return this.run('drop', { kbId });
  }

  override search(query: SearchQuery): Promise<Passage[]> {
    return this.run('search', query);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.workers.destroy();
  }

  private async run<T>(name: 'add' | 'remove' | 'drop' | 'search', request: object): Promise<T> {
    const answer = (await this.workers.run(request, { name })) as
      { result: T } | { code: string; message: string };
    if ('result' in answer) return answer.result;
    throw Object.assign(new Error(answer.message), { code: answer.code });
  }
}
