import OpenAI from 'openai';
import type { RerankConfig } from '../config/config.js';
import { openAiClient } from './client.js';
import { isRejection } from './endpoint-failure.js';

/** Text Embeddings Inference takes no more texts in a request, unless it is configured to. */
const TEXTS_PER_REQUEST = 32;

/** The requests of Cohere, Jina and vLLM name `documents`, those of Text Embeddings Inference `texts`. */
const FORMS = ['documents', 'texts'] as const;

/** Asks an endpoint how relevant texts are to a question, by `/rerank`. */
export class RerankClient {
  private readonly client: OpenAI;
  private form: (typeof FORMS)[number] = 'documents';

  constructor(private readonly config: RerankConfig) {
    this.client = openAiClient(config);
  }

  /**
   * @returns a score for each text, higher is more relevant
   * @throws Error when the endpoint fails, or its answer has not exactly one score for each text
   */
  async scores(question: string, texts: readonly string[], signal: AbortSignal): Promise<number[]> {
    try {
      return await this.ask(question, texts, signal);
    } catch (error) {
      if (!isRejection(error)) throw error;
      const form = this.form;
      this.form = FORMS.find((other) => other !== form) ?? form;
      return await this.ask(question, texts, signal).catch(() => {
        // It rejects the texts, not the form of the request.
        this.form = form;
        throw error;
      });
    }
  }

  private async ask(
    query: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<number[]> {
    const { model } = this.config;
    const post = async (body: object, count: number) =>
      scoresOf(await this.client.post('/rerank', { body, signal }), count);
    const named = { ...(model !== undefined && { model }), query };
    if (this.form === 'documents') {
      return post({ ...named, documents: texts, top_n: texts.length }, texts.length);
    }
    const requests: Promise<number[]>[] = [];
    for (let start = 0; start < texts.length; start += TEXTS_PER_REQUEST) {
      const some = texts.slice(start, start + TEXTS_PER_REQUEST);
      requests.push(post({ ...named, texts: some, truncate: true }, some.length));
    }
    return (await Promise.all(requests)).flat();
  }
}

/** @throws Error */
export function scoresOf(answer: unknown, count: number): number[] {
  const results = isObject(answer) && !Array.isArray(answer) ? answer['results'] : answer;
  if (!Array.isArray(results)) throw new Error('There are no results');
  const scores = new Map<number, number>();
  for (const result of results as unknown[]) {
    const { index, relevance_score: score }: Record<string, unknown> = isObject(result)
      ? { relevance_score: result['score'], ...result }
      : {};
    if (!isIndex(index, count) || scores.has(index)) throw new Error('An index is wrong');
    if (typeof score !== 'number' || !Number.isFinite(score)) throw new Error('A score is wrong');
    scores.set(index, score);
  }
  if (scores.size !== count) throw new Error('The number of results is wrong');
  return Array.from({ length: count }, (_, index) => scores.get(index) ?? 0);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isIndex = (value: unknown, count: number): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < count;
