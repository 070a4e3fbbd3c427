import type OpenAI from 'openai';
import type { EmbeddingsConfig } from '../../platform/config/config.js';
import { openAiClient } from '../../platform/model-endpoints/client.js';
import { isRejection } from '../../platform/model-endpoints/endpoint-failure.js';
import { EndpointFailures } from '../../platform/model-endpoints/endpoint-failures.js';
import { ModelSpan } from '../../platform/model-endpoints/model-span.js';
import type { Embeddings, PassagePurpose } from './embeddings.js';
import { normalize } from '@latchkey/embeddings/vector';

const BATCH_TIMEOUT_MS = 30_000;
/** The maximum size of a response: the vectors of a batch, as decimal numbers. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Longer texts are cut. Most models accept this many characters, even with four tokens each. */
const MAX_LENGTH = 2000;
/** An endpoint that rejects even this text rejects everything, which counts as a failure. */
const PROBE_TEXT = 'text';

/** A failure of one kind of request does not pause the other. */
type Purpose = 'question' | PassagePurpose;

/** Computes vectors by an OpenAI-compatible endpoint. Failures are logged. */
export class EndpointEmbeddings implements Embeddings {
  readonly model: string;
  readonly description: string;
  private readonly client: OpenAI;
  private readonly failures: EndpointFailures;

  constructor(private readonly config: EmbeddingsConfig) {
    this.model = config.model;
    this.description = `endpoint:${config.model}`;
    this.client = openAiClient(config, { maxBytes: MAX_ANSWER_BYTES });
    this.failures = new EndpointFailures(
      EndpointEmbeddings.name,
      'No embeddings; searching by words only',
      { ...config, variables: 'EMBEDDINGS' },
    );
  }

  async embedQuestion(question: string): Promise<Float32Array | undefined> {
    const vectors = await this.embed([question], 'question');
    return vectors === 'rejected' ? undefined : vectors?.[0];
  }

  async embedPassages(
    texts: string[],
    signal: AbortSignal,
    purpose: PassagePurpose = 'documents',
  ): Promise<(Float32Array | undefined)[] | undefined> {
    const vectors = await this.embed(texts, purpose, signal);
    if (vectors !== 'rejected') return vectors;
    const probe = await this.embed([PROBE_TEXT], purpose, signal);
    if (probe === 'rejected') this.failures.pause(purpose);
    return Array.isArray(probe) ? this.embedHalves(texts, purpose, signal) : undefined;
  }

  /** Bisects a rejected batch to find the texts that the endpoint rejects. */
  private async embedHalves(
    texts: string[],
    purpose: PassagePurpose,
    signal: AbortSignal,
  ): Promise<(Float32Array | undefined)[] | undefined> {
    if (texts.length === 1) return [undefined];
    const vectors: (Float32Array | undefined)[] = [];
    const middle = Math.ceil(texts.length / 2);
    for (const half of [texts.slice(0, middle), texts.slice(middle)]) {
      const some = await this.embed(half, purpose, signal);
      const found = some === 'rejected' ? await this.embedHalves(half, purpose, signal) : some;
      if (!found) return undefined;
      vectors.push(...found);
    }
    return vectors;
  }

  private async embed(
    texts: string[],
    purpose: Purpose,
    signal?: AbortSignal,
  ): Promise<Float32Array[] | 'rejected' | undefined> {
    if (this.failures.isPaused(purpose)) return undefined;
    const { baseUrl, timeoutMs } = this.config;
    const timeout = AbortSignal.timeout(purpose === 'question' ? timeoutMs : BATCH_TIMEOUT_MS);
    const span = ModelSpan.start({ operation: 'embeddings', model: this.model, baseUrl });
    try {
      const { data, usage } = await this.client.embeddings.create(
        {
          model: this.model,
          input: texts.map((text) => text.slice(0, MAX_LENGTH).toWellFormed()),
          encoding_format: 'float',
        },
        {
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
          headers: span.headers,
        },
      );
      span.complete(readUsage(usage));
      const vectors = data
        .toSorted((one, other) => one.index - other.index)
        .map(({ embedding }) => normalize(embedding));
      if (vectors.length !== texts.length) throw new Error('The number of vectors is wrong');
      return vectors;
    } catch (error) {
      span.fail(error);
      if (signal?.aborted) return undefined;
      this.failures.warn(error);
      if (isRejection(error)) return 'rejected';
      this.failures.pause(purpose);
      return undefined;
    } finally {
      span.end();
    }
  }
}

/** Servers other than OpenAI's may omit the usage. */
const readUsage = (usage: { prompt_tokens?: unknown } | undefined) =>
  Number.isInteger(usage?.prompt_tokens) ? { input: Number(usage?.prompt_tokens) } : {};
