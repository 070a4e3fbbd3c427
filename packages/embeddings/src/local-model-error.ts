/** The model cannot be used. The message completes "EMBEDDINGS_MODEL_PATH: …", for an operator. */
export class LocalModelError extends Error {
  override name = 'LocalModelError';
}
