import { isIP } from 'node:net';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { isEverybody, isIpRange } from './ip-address.js';

/** Digits become a number; anything else stays, to be refused. */
export const toInteger = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
);

/** Lists in the environment are separated by commas. */
export const toList = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' ? value.split(',').map((entry) => entry.trim()) : value,
);

/** Whether nobody on the way can change what comes from there: https, or this machine. */
export function isSecureUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return (
    protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/[[\]]/g, '')))
  );
}

export const IsSecureUrl = () =>
  ValidateBy({
    name: 'isSecureUrl',
    validator: {
      validate: isSecureUrl,
      defaultMessage: () => '$property must be an https URL (http on a loopback address only)',
    },
  });

/** Each entry is an origin as browsers send it: scheme, host and port, no path. */
export const IsOrigin = () =>
  ValidateBy(
    {
      name: 'isOrigin',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value,
        defaultMessage: () => '$property must list origins such as https://dashboard.example.com',
      },
    },
    { each: true },
  );

/** Each entry can be sent as a header's value and has at least so many bytes. */
export const IsHeaderSecret = (bytes: number) =>
  ValidateBy(
    {
      name: 'isHeaderSecret',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' && value.length >= bytes && /^[\x21-\x7e]+$/.test(value),
        defaultMessage: () =>
          `$property must list secrets of at least ${bytes} bytes, visible ASCII characters, separated by commas`,
      },
    },
    { each: true },
  );

/** Each entry is an address or a range, and none is everybody. */
export const IsCidr = () =>
  ValidateBy(
    {
      name: 'isCidr',
      validator: {
        validate: (value: unknown) => isIpRange(value) && !isEverybody(value),
        defaultMessage: () =>
          '$property must list IP addresses and CIDR ranges, separated by commas; /0 would trust everybody',
      },
    },
    { each: true },
  );

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
