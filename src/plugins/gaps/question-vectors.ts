import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { EMBEDDINGS, type Embeddings } from '../../documents/search/embeddings.js';

/** Vectors that a process keeps, the last that were asked for: 1.5 KB each with the local model. */
const MAX_KEPT = 2000;
/** Texts that are embedded at once. */
const BATCH = 50;

/** Vectors of questions that were asked, in memory only: what is erased is not asked for again. */
@Injectable()
export class QuestionVectors {
  private readonly kept = new Map<string, Float32Array>();

  constructor(@Inject(EMBEDDINGS) private readonly embeddings: Embeddings | null) {}

  /**
   * @param signal whose reason it throws when it is aborted
   * @returns those that there are, by the question; undefined without a model, or when it fails
   */
  async of(
    questions: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Float32Array> | undefined> {
    const { embeddings } = this;
    const model = embeddings?.model;
    if (!embeddings || model === undefined) return undefined;
    const found = new Map<string, Float32Array>();
    const missing: string[] = [];
    for (const question of questions) {
      const key = keyOf(model, question);
      const vector = this.kept.get(key);
      if (!vector) missing.push(question);
      else {
        this.keep(key, vector);
        found.set(question, vector);
      }
    }
    for (let from = 0; from < missing.length; from += BATCH) {
      const some = missing.slice(from, from + BATCH);
      const vectors = await embeddings.embedPassages(some, signal, 'gaps');
      signal.throwIfAborted();
      if (!vectors) return undefined;
      for (const [index, question] of some.entries()) {
        const vector = vectors[index];
        if (!vector) continue;
        this.keep(keyOf(model, question), vector);
        found.set(question, vector);
      }
    }
    return found;
  }

  private keep(key: string, vector: Float32Array): void {
    this.kept.delete(key);
    this.kept.set(key, vector);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_KEPT && oldest !== undefined) this.kept.delete(oldest);
  }
}

const keyOf = (model: string, question: string): string =>
  createHash('sha256').update(`${model}\n${question}`).digest('base64');
