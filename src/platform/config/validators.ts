import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { Transform } from 'class-transformer';
import {
  IsInt,
  IsNotEmpty,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { isEverybody, isIpRange } from './ip-address.js';

const combine =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };

/** The variables whose values must never be shown. */
export const SECRETS = new Set<string | symbol>();

export const Secret: PropertyDecorator = (_target, name) => {
  SECRETS.add(name);
};

/** Converts digits to a number; anything else is left unchanged and rejected. */
export const IsInteger = (min: number, max?: number) =>
  combine(
    ...(max === undefined ? [] : [Max(max)]),
    Min(min),
    IsInt(),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
    ),
  );

/** Splits a comma-separated list. */
export const toList = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' ? value.split(',').map((entry) => entry.trim()) : value,
);

/** Makes a path absolute. */
export const IsPath = () =>
  combine(
    IsNotEmpty(),
    IsString(),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? resolve(value) : value,
    ),
  );

export const IsUrlOf = (...schemes: string[]) =>
  Matches(new RegExp(`^(${schemes.join('|')})://.`), {
    message: `$property must be a ${schemes.map((scheme) => `${scheme}://`).join(' or ')} URL`,
  });

/** Required when `other` is set. */
export const IsGivenWith = (other: string) =>
  combine(
    ValidateIf((environment: Record<string, unknown>) => environment[other] !== undefined),
    IsString(),
    Matches(/./, { message: `$property must be given with ${other}` }),
  );

/** Rejected unless `other` is set too. */
export const IsGivenBeside = (other: string, reason: string) =>
  ValidateBy({
    name: `is given beside ${other}`,
    validator: {
      validate: (_, args) => (args?.object as Record<string, unknown>)[other] !== undefined,
      defaultMessage: () => `$property can be given only with ${other}: ${reason}`,
    },
  });

/** Rejected if `other` is set too. */
export const IsNotGivenWith = (other: string) =>
  ValidateBy({
    name: `is not given with ${other}`,
    validator: {
      validate: (value, args) =>
        value === undefined || (args?.object as Record<string, unknown>)[other] === undefined,
      defaultMessage: () => `$property cannot be given with ${other}`,
    },
  });

/** Required if contents or AUDIT_LOG go to an object store; must be valid in a header. */
export const IsGivenForObjectStore = () =>
  combine(
    ValidateIf(({ CONTENT_STORE, AUDIT_LOG }: { CONTENT_STORE?: unknown; AUDIT_LOG?: unknown }) =>
      [CONTENT_STORE, AUDIT_LOG].some((location) => String(location).startsWith('s3:')),
    ),
    Matches(/^[\x21-\x7e]+$/, {
      message: '$property must be given with an object store (s3://…)',
    }),
  );

export const IsHttpUrl = () =>
  Matches(/^https?:\/\/[^\s@]+$/, { message: '$property must be an http or https URL' });

export const IsHeaderValue = () =>
  Matches(/^[\x21-\x7e]+$/, { message: '$property must be visible ASCII without spaces' });

/** Whether a URL is safe from tampering in transit: https, or a loopback address. */
export function isSecureUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  const host = hostname.replace(/[[\]]/g, '');
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(host));
}

const rule = (validate: (value: unknown) => boolean, message: string, each: boolean) =>
  ValidateBy(
    { name: message, validator: { validate, defaultMessage: () => `$property must ${message}` } },
    { each },
  );

export const IsSecureUrl = () =>
  rule(isSecureUrl, 'be an https URL (http on a loopback address only)', false);

function isPercentEncoded(value: string): boolean {
  try {
    return decodeURIComponent(value).length > 0;
  } catch {
    return false;
  }
}

/** Each entry is the URL of a server that is safe from eavesdropping. */
export const IsSearchUrl = () =>
  rule(
    (value) =>
      isSecureUrl(value) &&
      new URL(value).pathname === '/' &&
      !/[?#]/.test(value) &&
      isPercentEncoded(value),
    'list https URLs (http on a loopback address only) without a path, separated by commas',
    true,
  );

/** Each entry is a valid header value of at least this many bytes. */
export const IsHeaderSecret = (bytes: number) =>
  rule(
    (value) => typeof value === 'string' && value.length >= bytes && /^[\x21-\x7e]+$/.test(value),
    `list secrets of at least ${bytes} bytes, visible ASCII characters, separated by commas`,
    true,
  );

/** Each entry is an address or a range; no range may contain every address. */
export const IsCidr = () =>
  rule(
    (value) => isIpRange(value) && !isEverybody(value),
    'list IP addresses and CIDR ranges, separated by commas; /0 would trust everybody',
    true,
  );

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
