import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import type { ExtractedChunk, ExtractionRequest } from './extract.js';

/** Runs extraction in worker threads: parsing must not hold up requests. */
@Injectable()
export class Extractor implements OnApplicationShutdown {
  private readonly workers = new Piscina<ExtractionRequest, ExtractedChunk[]>({
    filename: new URL('./extract.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: 2,
    idleTimeout: 10_000,
  });

  extract(request: ExtractionRequest): Promise<ExtractedChunk[]> {
    return this.workers.run(request);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.workers.destroy();
  }
}
