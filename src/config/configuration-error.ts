/** Stops the start. Its message names variables and what they must be, never what they are. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}
