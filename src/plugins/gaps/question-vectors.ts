import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { EMBEDDINGS, type Embeddings } from '../../documents/search/embeddings.js';

/** The most recently used vectors that a process keeps; each has 1.5 KB with the local model. */
const MAX_KEPT = 2000;
/** Texts embedded in one call. */
const BATCH = 50;

/** Caches vectors of asked questions in memory only, so that nothing is left of erased questions. */
@Injectable()
export class QuestionVectors {
  private readonly kept = new Map<string, Float32Array>();

  constructor(@Inject(EMBEDDINGS) private readonly embeddings: Embeddings | null) {}

  /**
   * @param signal when aborted, its reason is thrown
   * @returns the available vectors by question; undefined without a model, or if it fails
   */
  async getVectors(
    questions: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Float32Array> | undefined> {
    const { embeddings } = this;
    const model = embeddings?.model;
    if (!embeddings || model === undefined) return undefined;
    const found = new Map<string, Float32Array>();
    const missing: string[] = [];
    for (const question of questions) {
      const key = hashQuestion(model, question);
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
        this.keep(hashQuestion(model, question), vector);
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

const hashQuestion = (model: string, question: string): string =>
  createHash('sha256').update(`${model}\n${question}`).digest('base64');
