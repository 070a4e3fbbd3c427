import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { WorkerPool } from '../jobs/worker-pool.js';
import type { SearchResult } from '../search/search-index.js';
import type { Reading, ReadingRequest } from './read-passages.js';

/** Reads the passages of a search in a worker thread: a text made to be slow takes about 100 ms. */
@Injectable()
export class PassageReader implements OnApplicationShutdown {
  private readonly thread = new WorkerPool<ReadingRequest, Reading>(
    new URL('./extractive.worker.js', import.meta.url),
    { maxThreads: 1, idleTimeout: Infinity },
  );

  /** @returns how relevant the passages are to the question, and the sentences that answer it */
  read(question: string, { passages, terms }: SearchResult): Promise<Reading> | Reading {
    if (passages.length === 0) return { relevance: 0, quotation: undefined };
    return this.thread.run({
      question,
      terms,
      passages: passages.map(({ text, documentTitle, heading, language, matched }) => ({
        text,
        context: heading === null ? documentTitle : `${documentTitle} ${heading}`,
        language,
        matched: matched.map(({ word }) => word),
      })),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.thread.destroy();
  }
}
