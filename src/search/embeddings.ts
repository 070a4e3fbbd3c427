import { Logger } from '@nestjs/common';
import OpenAI from 'openai';
import type { EmbeddingsConfig } from '../config/config.js';
import { openAiClient } from '../model-endpoints/client.js';
import { describeFailure } from '../model-endpoints/endpoint-failure.js';

/** What a question waits for its vector. */
const QUESTION_TIMEOUT_MS = 800;
const BATCH_TIMEOUT_MS = 30_000;
/** After a failure the endpoint is left alone, so that questions need not wait for it. */
const PAUSE_MS = 10_000;
const WARN_EVERY_MS = 60_000;
/**
 * Characters, of up to four tokens each, that most models take; of a longer passage the beginning
 * says what it is about.
 */
const MAX_LENGTH = 2000;
/** What an endpoint says to a text, and not because it is out of order. */
const REFUSALS = [400, 413, 422];
/** An endpoint that refuses this refuses everything. */
const PROBE = 'text';

/** What is asked of an endpoint; failures of one kind do not stop the other. */
type Purpose = 'question' | 'passages';
const TIMEOUT_MS = { question: QUESTION_TIMEOUT_MS, passages: BATCH_TIMEOUT_MS };

/** Vectors of texts, from an OpenAI-compatible endpoint, which may fail at any time. */
export class Embeddings {
  readonly model: string;
  private readonly logger = new Logger(Embeddings.name);
  private readonly client: OpenAI;
  private readonly pausedUntil = { question: 0, passages: 0 };
  private warnedAt = -Infinity;

  constructor(private readonly config: EmbeddingsConfig) {
    this.model = config.model;
    this.client = openAiClient(config);
  }

  /** @returns undefined when the endpoint does not answer in time, or not well */
  async ofQuestion(question: string): Promise<Float32Array | undefined> {
    const vectors = await this.embed([question], 'question');
    return vectors === 'refused' ? undefined : vectors?.[0];
  }

  /**
   * @returns a vector for each text, or undefined for one that the endpoint refuses; undefined when
   *   it does not answer in time, or not well
   */
  async ofPassages(texts: string[]): Promise<(Float32Array | undefined)[] | undefined> {
    const vectors = await this.embed(texts, 'passages');
    if (vectors !== 'refused') return vectors;
    const probe = await this.embed([PROBE], 'passages');
    if (probe === 'refused') this.pause('passages');
    return Array.isArray(probe) ? this.halves(texts) : undefined;
  }

  /** Of texts that were refused together. */
  private async halves(texts: string[]): Promise<(Float32Array | undefined)[] | undefined> {
    if (texts.length === 1) return [undefined];
    const vectors: (Float32Array | undefined)[] = [];
    const middle = Math.ceil(texts.length / 2);
    for (const half of [texts.slice(0, middle), texts.slice(middle)]) {
      const some = await this.embed(half, 'passages');
      const found = some === 'refused' ? await this.halves(half) : some;
      if (!found) return undefined;
      vectors.push(...found);
    }
    return vectors;
  }

  private async embed(
    texts: string[],
    purpose: Purpose,
  ): Promise<Float32Array[] | 'refused' | undefined> {
    if (Date.now() < this.pausedUntil[purpose]) return undefined;
    try {
      const { data } = await this.client.embeddings.create(
        {
          model: this.model,
          input: texts.map((text) => text.slice(0, MAX_LENGTH).toWellFormed()),
          encoding_format: 'float',
        },
        { signal: AbortSignal.timeout(TIMEOUT_MS[purpose]) },
      );
      const vectors = data
        .toSorted((one, other) => one.index - other.index)
        .map(({ embedding }) => unit(embedding));
      if (vectors.length !== texts.length) throw new Error('The number of vectors is wrong');
      return vectors;
    } catch (error) {
      this.warn(error);
      if (error instanceof OpenAI.APIError && REFUSALS.includes(Number(error.status))) {
        return 'refused';
      }
      this.pause(purpose);
      return undefined;
    }
  }

  private pause(purpose: Purpose): void {
    this.pausedUntil[purpose] = Date.now() + PAUSE_MS;
  }

  private warn(error: unknown): void {
    if (Date.now() - this.warnedAt < WARN_EVERY_MS) return;
    this.warnedAt = Date.now();
    const failure = describeFailure(error, { ...this.config, variables: 'EMBEDDINGS' });
    this.logger.warn(`No embeddings, so search goes by words alone: ${failure}`);
  }
}

/** Of length 1, so that the angle between two is told by their product. */
function unit(values: number[]): Float32Array {
  const length = Math.hypot(...values);
  if (values.length === 0 || !Number.isFinite(length) || length === 0) {
    throw new Error('A vector is none');
  }
  return Float32Array.from(values, (value) => value / length);
}
