import { ConfigurationError } from './configuration-error.js';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'HOST is not an address of this machine',
};

/** Explains to the operator why a server cannot listen; returns any other error unchanged. */
export function listenError(error: unknown, variable: 'PORT' | 'METRICS_PORT', port: number) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = REASONS[code];
  if (reason === undefined) return error;
  return new ConfigurationError(
    `${variable}: the service cannot listen on port ${port} of HOST, because ${reason}`,
  );
}
