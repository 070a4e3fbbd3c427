import { isIP } from 'node:net';
import { normalizeIp } from '../config/ip-address.js';

/**
 * The client's address, normalized and without a zone. A trusted proxy can send any text; one that
 * is no address becomes `unknown`, which is in no `allowed_ips`.
 */
export function clientIp({ ip }: { readonly ip: string }): string {
  const [address = ''] = normalizeIp(ip).split('%');
  return isIP(address) === 0 ? 'unknown' : address;
}
