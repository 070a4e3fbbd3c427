import { BlockList, isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Normalizes an address: IPv4 mapped to IPv6 (`::ffff:192.0.2.1`) becomes IPv4. */
function normalizeIp(address: string): string {
  const lower = address.toLowerCase();
  return lower.startsWith('::ffff:') && lower.includes('.') ? lower.slice(7) : lower;
}

/** The number of IPv6 groups that identify a network, a /64. */
const NETWORK_GROUPS = 4;

/**
 * Returns what rate limits by address count: an IPv4 address, also if mapped to IPv6, or the /64 of an
 * IPv6 address, since one host has all its addresses. Other text is returned unchanged.
 */
export function limitedAddress(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const groups = parsed.parts.map((group, index) => (index < NETWORK_GROUPS ? group : 0));
  return `${new ipaddr.IPv6(groups).toString()}/64`;
}

/** Whether `value` is an IPv4 or IPv6 address, or a CIDR range such as `192.0.2.0/24`. */
export function isIpRange(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const [address = '', prefix, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
  );
}

/** Whether a range contains every IPv4 or IPv6 address, also IPv4 within IPv6 (`::ffff:0:0/96`). */
export function isEverybody(range: string): boolean {
  const [address = '', prefix] = range.split('/');
  if (prefix === undefined) return false;
  const everyIpv4 = ['0.0.0.0', '255.255.255.255'].every((end) => isIpAllowed(end, [range]));
  return everyIpv4 || prefixLength(address, prefix) === 0;
}

/** Whether an address is in one of the ranges; false for a text that is no address. */
export function isIpAllowed(address: string, ranges: readonly string[]): boolean {
  const normalized = normalizeIp(address);
  return isIP(normalized) !== 0 && toBlockList(ranges).check(normalized, family(normalized));
}

function toBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const normalized = normalizeIp(address);
    if (prefix === undefined) list.addAddress(normalized, family(normalized));
    else list.addSubnet(normalized, prefixLength(address, prefix), family(normalized));
  }
  return list;
}

/**
 * Returns the prefix length in the family of the normalized address: `::ffff:192.0.2.0/120` is
 * `192.0.2.0/24`.
 */
function prefixLength(address: string, prefix: string): number {
  const mapped = isIPv6(address) && !isIPv6(normalizeIp(address));
  return Math.max(0, Number(prefix) - (mapped ? 96 : 0));
}

const family = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/**
 * Returns the client's address, normalized, without a zone. Text from a trusted proxy that is not an
 * address becomes `unknown`, which matches no `allowed_ips`.
 */
export function clientIp({ ip }: { readonly ip: string }): string {
  const [address = ''] = normalizeIp(ip).split('%');
  return isIP(address) === 0 ? 'unknown' : address;
}
