/** Stops the start. Its message names variables and what they must be, never what they are, but for ports. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}
