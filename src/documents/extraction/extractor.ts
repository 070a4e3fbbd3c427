import { BeforeApplicationShutdown, Injectable, OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import type { ExtractedChunk, ExtractionRequest } from './extract.js';

/** What a document may take; its worker is ended then, whatever it does. */
const TIMEOUT_MS = 30_000;
const MAX_HEAP_MB = 256;

/** Extraction took too long. */
export class ExtractionTimeout extends Error {}

/** Runs extraction in worker threads: parsing must not hold up requests. */
@Injectable()
export class Extractor implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly workers = new Piscina<ExtractionRequest, ExtractedChunk[]>({
    filename: new URL('./extract.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: 2,
    idleTimeout: 10_000,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  private readonly stopped = new AbortController();

  /** @throws ExtractionTimeout */
  async extract(request: ExtractionRequest): Promise<ExtractedChunk[]> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const signal = AbortSignal.any([timeout, this.stopped.signal]);
    try {
      return await this.workers.run(request, { signal });
    } catch (error) {
      if (timeout.aborted) throw new ExtractionTimeout('Extraction took too long');
      throw error;
    }
  }

  /** A document that is being read is read again after the next start. */
  beforeApplicationShutdown(): void {
    this.stopped.abort();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.workers.destroy();
  }
}
