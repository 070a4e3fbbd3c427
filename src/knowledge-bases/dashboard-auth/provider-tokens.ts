import type { JWTPayload } from 'jose';

/** Asymmetric only: with a symmetric one, the provider's public key would be the shared secret. */
export const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

export const CLOCK_TOLERANCE_SECONDS = 30;

/** RFC 9068's for access tokens, and the one that says nothing; not those of logout and security events. */
const TYPE = /^(application\/)?(at\+)?jwt$/i;

/** Whether a token's type, where it has one, is that of tokens that grant access. */
export const isAccessToken = (type: unknown, { events }: JWTPayload): boolean =>
  (type === undefined || (typeof type === 'string' && TYPE.test(type))) &&
  // Of logout tokens and others that tell of something; some providers give them no type.
  events === undefined;
