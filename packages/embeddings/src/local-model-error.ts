/** The model cannot be used. The message completes a line that names the model, for an operator. */
export class LocalModelError extends Error {
  override name = 'LocalModelError';
}
