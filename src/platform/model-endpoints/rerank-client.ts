import OpenAI from 'openai';
import type { RerankConfig } from '../config/config.js';
import { openAiClient } from './client.js';
import { isRejection } from './endpoint-failure.js';

/** By default, Text Embeddings Inference accepts no more texts per request. */
const TEXTS_PER_REQUEST = 32;

/** Some servers repeat the texts. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The requests of Cohere, Jina and vLLM name `documents`, those of Text Embeddings Inference `texts`. */
type Form = 'documents' | 'texts';

/** Asks an endpoint's `/rerank` how relevant texts are to a question. */
export class RerankClient {
  private readonly client: OpenAI;
  /** The request format that worked last. */
  private form: Form = 'documents';

  constructor(private readonly config: RerankConfig) {
    this.client = openAiClient(config, { maxBytes: MAX_BYTES });
  }

  /**
   * @returns a score for each text, higher is more relevant
   * @throws Error if the endpoint fails, or does not return exactly one score for each text
   */
  async scores(question: string, texts: readonly string[], signal: AbortSignal): Promise<number[]> {
    const { form } = this;
    try {
      return await this.ask(form, question, texts, signal);
    } catch (error) {
      if (!isRejection(error)) throw error;
      const other = form === 'documents' ? 'texts' : 'documents';
      const scores = await this.ask(other, question, texts, signal).catch((second: unknown) => {
        // Rejected in both formats, so the texts are the problem.
        throw isRejection(second) ? error : second;
      });
      this.form = other;
      return scores;
    }
  }

  private async ask(
    form: Form,
    query: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<number[]> {
    const { model } = this.config;
    const post = async (body: object, count: number) =>
      readScores(await this.client.post('/rerank', { body, signal }), count);
    const named = { ...(model !== undefined && { model }), query };
    if (form === 'documents') {
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
export function readScores(answer: unknown, count: number): number[] {
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
