/**
 * Aborts the start. Its message names variables and what they must be, never their values, except for
 * ports.
 */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}
