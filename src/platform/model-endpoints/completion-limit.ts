import { APIError } from 'openai';

type Limit = { readonly max_tokens: number } | { readonly max_completion_tokens: number };

/**
 * Sets the maximum length of an answer by `max_tokens`, which every server knows, or by
 * `max_completion_tokens`, the only name that some models of OpenAI accept.
 */
export class CompletionLimit {
  private readonly refusing = new Set<string>();

  /** @param send called again if the model rejects `max_tokens` */
  async apply<T>(model: string, maxTokens: number, send: (limit: Limit) => Promise<T>): Promise<T> {
    if (!this.refusing.has(model)) {
      try {
        return await send({ max_tokens: maxTokens });
      } catch (error) {
        if (!refusesMaxTokens(error)) throw error;
        this.refusing.add(model);
      }
    }
    return send({ max_completion_tokens: maxTokens });
  }
}

const refusesMaxTokens = (error: unknown): boolean =>
  error instanceof APIError &&
  error.status === 400 &&
  error.code === 'unsupported_parameter' &&
  error.param === 'max_tokens';
