import type { EmbeddingsConfig, ModelConfig, RerankConfig } from '../config/config.js';
import { openAiClient } from './client.js';
import { CompletionLimit } from './completion-limit.js';
import { RerankClient } from './rerank-client.js';

const MAX_PROBE_BYTES = 1024 * 1024;

/** Sends the model a request like any other, and disconnects at the first chunk. */
export async function probeModel(
  config: ModelConfig,
  maxTokens: number,
  timeoutMs: number,
): Promise<void> {
  const client = openAiClient(config, { maxBytes: MAX_PROBE_BYTES });
  const signal = AbortSignal.timeout(timeoutMs);
  const chunks = await new CompletionLimit().apply(config.model, maxTokens, (limit) =>
    client.chat.completions.create(
      {
        model: config.model,
        messages: [{ role: 'user', content: 'Say yes.' }],
        ...limit,
        stream: true,
        stream_options: { include_usage: true },
      },
      { signal },
    ),
  );
  for await (const { choices } of chunks) {
    if (Array.isArray(choices)) return;
  }
  throw new Error('The stream ended before the answer');
}

/** @throws Error */
export async function probeEmbeddings(config: EmbeddingsConfig, timeoutMs: number): Promise<void> {
  const { data } = await openAiClient(config, { maxBytes: MAX_PROBE_BYTES }).embeddings.create(
    { model: config.model, input: ['text'], encoding_format: 'float' },
    { signal: AbortSignal.timeout(timeoutMs) },
  );
  if (!data[0]?.embedding.length) throw new Error('The number of vectors is wrong');
}

/** @throws Error */
export async function probeReranker(config: RerankConfig, timeoutMs: number): Promise<void> {
  const texts = ['One text.', 'Another text.'];
  await new RerankClient(config).scores('text', texts, AbortSignal.timeout(timeoutMs));
}
