import { isStorableText } from '../../platform/http/text.js';

/** The grant of RFC 7523. */
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const MAX_NAME = 100;
const MAX_REDIRECT_URIS = 10;
/** The characters that the redirect URIs of a client may have in sum. */
const MAX_URIS_LENGTH = 2000;

/** What a client says about itself that is kept. */
const KEPT = new Set(['client_id', 'client_name', 'redirect_uris']);
/** Characters that cannot be seen, change the direction of a text, or end a quotation. */
const DISGUISING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0"“”„«»]/gu;
/** Schemes that browsers keep to themselves. */
const BROWSERS_OWN = /^(?:wss?|ftp|view-source|chrome|about):/i;

interface ClientMetadata {
  client_name?: unknown;
  redirect_uris?: unknown;
}

/**
 * Makes a public client of what a client says about itself: others could keep no secret, and a name on the
 * page must be one line.
 */
export function normalizeClient(metadata: object): void {
  const { client_name: name, redirect_uris: redirects } = metadata as ClientMetadata;
  for (const field of Object.keys(metadata)) {
    if (!KEPT.has(field)) Reflect.deleteProperty(metadata, field);
  }
  const uris = Array.isArray(redirects) ? (redirects as unknown[]) : [];
  const isFitting =
    uris.length <= MAX_REDIRECT_URIS &&
    uris.join('').length <= MAX_URIS_LENGTH &&
    uris.every((one) => isStorableText(one) && !BROWSERS_OWN.test(one));
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
  name.replace(DISGUISING, ' ').trim().slice(0, MAX_NAME).toWellFormed();
