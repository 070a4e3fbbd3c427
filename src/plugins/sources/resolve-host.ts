import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { SourceError } from '@latchkey/sources/source-kind';
import {
  AddressNotAllowedError,
  isPublicAddress,
  lookupPublicAddress,
} from '../../platform/http/receiver-address.js';

/**
 * Returns an address of a host that a source may connect to.
 *
 * @throws SourceError `not_allowed` or `unreachable`
 */
export async function resolveHost(host: string, allowPrivate: boolean): Promise<string> {
  try {
    if (isIP(host) !== 0) {
      if (allowPrivate || isPublicAddress(host)) return host;
      throw new AddressNotAllowedError();
    }
    if (allowPrivate) return (await lookup(host)).address;
    return await new Promise<string>((resolve, reject) => {
      lookupPublicAddress(host, { all: false }, (error, address) => {
        if (error) reject(error);
        else if (typeof address === 'string') resolve(address);
      });
    });
  } catch (error) {
    if (error instanceof AddressNotAllowedError) {
      const message = 'The address is not public. SOURCE_ALLOW_PRIVATE can allow it.';
      throw new SourceError('not_allowed', message, { cause: error });
    }
    throw new SourceError('unreachable', 'The server has no address.', { cause: error });
  }
}
