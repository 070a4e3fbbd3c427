import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { WorkerPool } from '../jobs/worker-pool.js';
import {
  AnswerGenerator,
  type CompleteAnswer,
  type GenerationRequest,
} from './answer-generator.js';
import type { ExtractiveRequest } from './extractive.worker.js';

/** The name of this generator where a model's name is expected. */
export const EXTRACTIVE = 'extractive';

/**
 * Answers by quoting the sentences that match the question best, without a language model. A hostile
 * text takes some 100 ms, so this runs in a thread.
 */
@Injectable()
export class ExtractiveGenerator extends AnswerGenerator implements OnApplicationShutdown {
  private readonly thread = new WorkerPool<ExtractiveRequest, string | undefined>(
    new URL('./extractive.worker.js', import.meta.url),
    { maxThreads: 1, idleTimeout: Infinity },
  );

  override async generate({ question, passages }: GenerationRequest): Promise<CompleteAnswer> {
    const texts = passages.map(({ text }) => text);
    return { model: EXTRACTIVE, text: await this.thread.run({ question, passages: texts }) };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.thread.destroy();
  }
}
