import { hasLength } from '../../platform/http/text.js';

/** The grant of RFC 7523. */
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const MAX_NAME = 100;
const MAX_REDIRECT_URIS = 20;
const MAX_URI = 2000;

/** What a client says about itself that is kept. */
const KEPT = new Set(['client_id', 'client_name', 'client_uri', 'redirect_uris']);
/** Invisible characters and those that change the direction of a text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

interface ClientMetadata {
  client_name?: unknown;
  client_uri?: unknown;
  redirect_uris?: unknown;
}

/**
 * Makes a public client of what a client says about itself: others could keep no secret, and a name on the
 * page must be one line.
 */
export function normalizeClient(metadata: object): void {
  const {
    client_name: name,
    client_uri: uri,
    redirect_uris: redirects,
  } = metadata as ClientMetadata;
  for (const field of Object.keys(metadata)) {
    if (!KEPT.has(field)) Reflect.deleteProperty(metadata, field);
  }
  if (typeof uri !== 'string' || !hasLength(uri, 1, MAX_URI)) {
    Reflect.deleteProperty(metadata, 'client_uri');
  }
  const isFitting =
    Array.isArray(redirects) &&
    redirects.length <= MAX_REDIRECT_URIS &&
    redirects.every((one) => typeof one === 'string' && hasLength(one, 1, MAX_URI));
  const shown = typeof name === 'string' ? toShownName(name) : '';
  if (shown === '') Reflect.deleteProperty(metadata, 'client_name');
  Object.assign(metadata, {
    ...(shown !== '' && { client_name: shown }),
    ...(!isFitting && { redirect_uris: [] }),
    // The rules for applications on a computer, of which web addresses are a part.
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token', JWT_BEARER],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
}

export const toShownName = (name: string): string =>
  name.replace(INVISIBLE, ' ').trim().slice(0, MAX_NAME).toWellFormed();
