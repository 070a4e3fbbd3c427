import { isIP } from 'node:net';
import { normalizeIp } from '../config/ip-address.js';

/**
 * The client's address in its one spelling, without a zone. A trusted proxy can pass on anything:
 * what is no address is `unknown`, which no list allows and every column holds.
 */
export function clientIp({ ip }: { readonly ip: string }): string {
  const [address = ''] = normalizeIp(ip).split('%');
  return isIP(address) === 0 ? 'unknown' : address;
}
