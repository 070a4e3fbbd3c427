import { promises as dns } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The receiver's address is not public, so nothing was sent. */
export class AddressNotAllowedError extends Error {
  override name = 'AddressNotAllowedError';
}

/** Host names that are reserved for the local machine or network. */
const PRIVATE_NAME =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|home\.arpa|home|lan|corp)$/;

/** Azure's metadata service, whose address is in a public range, unlike those of other clouds. */
const PUBLIC_METADATA_ADDRESS = '168.63.129.16';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address is public. Loopback, private, link-local, metadata, multicast and reserved
 * addresses are not, nor are IPv6 addresses that contain an IPv4 one (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || address === PUBLIC_METADATA_ADDRESS) return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_UNICAST);
}

/**
 * Returns the host of a URL without the brackets of IPv6 addresses and the trailing dots of absolute
 * names.
 */
const getHost = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '').replace(/(?<!\.)\.+$/, '');

/**
 * Returns what is wrong with the URL of a receiver, without looking up its name; undefined if nothing
 * is. The URL parser has already normalized decimal, octal and hexadecimal IPv4 addresses.
 */
export function findUrlProblem(
  text: string,
  allowPrivate: boolean,
  allowHttp = allowPrivate,
): string | undefined {
  // The parser drops tabs and line ends, so that what was checked would not be what is stored and shown.
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\0-\x1f\x7f]/.test(text)) return 'url must not contain control characters';
  if (!URL.canParse(text)) return 'url must be an absolute URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    return 'url must be an https URL';
  }
  if (url.username !== '' || url.password !== '') return 'url must not contain credentials';
  if (allowPrivate) return undefined;
  const host = getHost(url);
  const isAllowed =
    isIP(host) === 0 ? host.includes('.') && !PRIVATE_NAME.test(host) : isPublicAddress(host);
  return isAllowed ? undefined : 'url must lead to a public address';
}

/**
 * Resolves the addresses of a name.
 *
 * @throws Error when there is none
 */
async function resolveAddresses(name: string): Promise<LookupAddress[]> {
  const [v4, v6] = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]);
  const found = [
    ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({ address, family: 4 })),
    ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({ address, family: 6 })),
  ];
  if (found.length === 0) throw new Error('The name of the receiver has no address');
  return found;
}

/** Whether all current addresses of the URL's host are public; true for a name without addresses. */
export async function leadsToPublicAddress(url: string): Promise<boolean> {
  const host = getHost(new URL(url));
  if (isIP(host) !== 0) return isPublicAddress(host);
  const addresses = await resolveAddresses(host).catch(() => []);
  return addresses.every(({ address }) => isPublicAddress(address));
}

/**
 * Looks up a name for a connection and rejects it unless all its addresses are public. The connection
 * uses the checked addresses, so changing the name in between gains nothing.
 */
export const lookupPublicAddress: LookupFunction = (name, { all }, callback) => {
  resolveAddresses(name)
    .then((addresses) => {
      if (!addresses.every(({ address }) => isPublicAddress(address))) {
        throw new AddressNotAllowedError('The name of the receiver has an address that is private');
      }
      const [first] = addresses;
      if (all) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    })
    .catch((error: unknown) => {
      callback(error instanceof Error ? error : new Error(String(error)), '');
    });
};
