import type { Completion, ModelCall } from './answer-generator.js';
import type { ModelTokens, TokenUsage } from './conversations/exchange.js';
import { BYTES_PER_TOKEN, MAX_TOKENS } from './estimate-tokens.js';

/** Adds up the tokens that the calls of a model use for one answer. */
export class TokenTally {
  private readonly calls: { model: string; used: TokenUsage; isReported: boolean }[] = [];

  /** Asks the model, and counts the call from then on. */
  async *count(
    call: ModelCall,
    signal: AbortSignal,
    deadline: number,
  ): AsyncGenerator<string | Completion> {
    const { promptTokens } = call.expected;
    const counted = {
      model: call.model,
      used: { promptTokens, completionTokens: 0 },
      isReported: false,
    };
    this.calls.push(counted);
    let bytes = 0;
    for await (const piece of call.pieces(signal, deadline)) {
      if (typeof piece === 'string') {
        bytes += Buffer.byteLength(piece);
        counted.used.completionTokens = Math.ceil(bytes / BYTES_PER_TOKEN);
      } else if (piece.usage) {
        counted.used = piece.usage;
        counted.isReported = true;
      }
      yield piece;
    }
  }

  /** Leaves out the last call, because it failed. */
  dropLast(): void {
    this.calls.pop();
  }

  /** The tokens as the model reports them; null if it does not report those of each call. */
  get reported(): TokenUsage | null {
    const { spent } = this;
    return spent && this.calls.every(({ isReported }) => isReported)
      ? { promptTokens: spent.promptTokens, completionTokens: spent.completionTokens }
      : null;
  }

  /** The tokens as the model reports them, else estimated; null if it was not asked. */
  get spent(): ModelTokens | null {
    const [first] = this.calls;
    if (!first) return null;
    const sum = (count: (used: TokenUsage) => number) =>
      Math.min(
        MAX_TOKENS,
        this.calls.reduce((total, { used }) => total + count(used), 0),
      );
    return {
      model: first.model,
      promptTokens: sum(({ promptTokens }) => promptTokens),
      completionTokens: sum(({ completionTokens }) => completionTokens),
    };
  }
}
