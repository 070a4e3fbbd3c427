import { join } from 'node:path';
import type { Config } from '../../platform/config/config.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import type { Embeddings } from './embeddings.js';

/** Creates the configured embeddings: of an endpoint, of a local model, or none. */
export async function createEmbeddings(config: Config): Promise<Embeddings | null> {
  if (config.embeddings) {
    const { EndpointEmbeddings } = await import('./endpoint-embeddings.js');
    return new EndpointEmbeddings(config.embeddings);
  }
  // Operator commands neither search nor index, so they do not need the model.
  if (!config.usesLocalModel || !Jobs.isEnabled) return null;
  const { BackgroundModel } = await import('./background-model.js');
  return new BackgroundModel(
    join(config.DATA_DIR, 'models'),
    config.EMBEDDINGS_MODEL_PATH,
    config.EMBEDDINGS_TIMEOUT_MS,
  );
}
