import { isIP } from 'node:net';
import { normalizeIp } from '../platform/config/ip-address.js';

/**
 * The client's address, normalized, without a zone. Text from a trusted proxy that is no address
 * becomes `unknown`, which matches no `allowed_ips`.
 */
export function clientIp({ ip }: { readonly ip: string }): string {
  const [address = ''] = normalizeIp(ip).split('%');
  return isIP(address) === 0 ? 'unknown' : address;
}
