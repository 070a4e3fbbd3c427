import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { AnswerGenerator, type GenerationRequest, type ReadyAnswer } from './answer-generator.js';
import type { ExtractiveRequest } from './extractive.worker.js';

/** What it is called, as a model. */
export const EXTRACTIVE = 'extractive';

/**
 * Answers by quoting the sentences that say most of what was asked. Needs no language model. A
 * hostile text takes some 100 ms, so this runs in a thread and holds up no other request.
 */
@Injectable()
export class ExtractiveGenerator extends AnswerGenerator implements OnApplicationShutdown {
  private readonly logger = new Logger(ExtractiveGenerator.name);
  /** Begun with the first answer, then kept. */
  private readonly thread = new Piscina<ExtractiveRequest, string | undefined>({
    filename: new URL('./extractive.worker.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: Infinity,
  });

  constructor() {
    super();
    // An `error` event without a listener is thrown and ends the process.
    this.thread.on('error', (error) => {
      this.logger.error(error);
    });
  }

  override async generate({ question, passages }: GenerationRequest): Promise<ReadyAnswer> {
    const texts = passages.map(({ text }) => text);
    return { model: EXTRACTIVE, text: await this.thread.run({ question, passages: texts }) };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.thread.destroy();
  }
}
