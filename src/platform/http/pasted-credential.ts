import { isUtf8 } from 'node:buffer';

/**
 * A credential without what people paste with it: white space, line ends or a byte-order mark around it,
 * or the scheme `Bearer` before it.
 */
export const cleanCredential = (pasted: string): string => pasted.trim().replace(/^Bearer\s+/i, '');

/** The credential of a header `Authorization`, as it was meant. */
export function parseBearer(authorization: string | undefined): string | undefined {
  const [, value] = /^Bearer\s+(\S.*)$/is.exec(decodeHeader(authorization ?? '').trim()) ?? [];
  if (value === undefined) return undefined;
  const credential = cleanCredential(value);
  return /\s/.test(credential) ? undefined : credential;
}

/** Node.js gives each byte as a character, also where clients send UTF-8. */
function decodeHeader(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}
