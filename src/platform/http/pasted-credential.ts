import { isUtf8 } from 'node:buffer';

/**
 * Cleans a pasted credential: removes white space, line ends, a byte-order mark, and a preceding
 * `Bearer`.
 */
export const cleanCredential = (pasted: string): string => pasted.trim().replace(/^Bearer\s+/i, '');

/** Parses the credential of an `Authorization` header, tolerating common mistakes. */
export function parseBearer(authorization: string | undefined): string | undefined {
  const [, value] = /^Bearer\s+(\S.*)$/is.exec(decodeHeader(authorization ?? '').trim()) ?? [];
  if (value === undefined) return undefined;
  const credential = cleanCredential(value);
  return /\s/.test(credential) ? undefined : credential;
}

/** The API key or token of an `Authorization` header, also of the scheme `DPoP` (RFC 9449). */
export const parseApiKey = (authorization: string | undefined): string | undefined =>
  parseBearer(authorization?.replace(/^\s*DPoP\s+/i, 'Bearer '));

/** Decodes a header value: Node.js returns each byte as a character, even if clients send UTF-8. */
function decodeHeader(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}
