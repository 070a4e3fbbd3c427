import type { JWTPayload } from 'jose';

/** Only asymmetric algorithms: with a symmetric one, the provider's public key would be the shared secret. */
export const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

export const CLOCK_TOLERANCE_SECONDS = 30;

/**
 * Matches the type of access tokens (RFC 9068) and the generic one, but not those of logout tokens and
 * security events.
 */
const TYPE = /^(application\/)?(at\+)?jwt$/i;

/** Whether a token grants access, by its type if it has one. */
export const isAccessToken = (type: unknown, { events }: JWTPayload): boolean =>
  (type === undefined || (typeof type === 'string' && TYPE.test(type))) &&
  // Logout tokens and security events have `events`; some providers give them no type.
  events === undefined;
