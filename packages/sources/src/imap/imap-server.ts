import { type ImapFlow, type ImapFlowOptions } from 'imapflow';
import { type SourceContext, SourceError } from '../source-kind.js';

export type ImapCredentials =
  | { readonly username: string; readonly password: string }
  | { readonly username: string; readonly token: string };

/** Lists of UIDs are one line: 100,000 of seven digits take less than 1 MB. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const MAX_TOKENS = 100_000;
const CONNECTING_MS = 30_000;
const IDLE_MS = 60_000;
const LOOPBACK = /^(?:127\.|::1$)/;

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** Whether the connection begins with TLS, rather than with STARTTLS. */
  readonly isSecure: boolean;
}

/** Reads an address such as `imaps://mail.example.com`; undefined for anything else. */
export function parseServerAddress(address: string): ServerAddress | undefined {
  const [, scheme = '', rest = ''] = /^(imaps?):\/\/([^/?#@]+)\/?$/i.exec(address.trim()) ?? [];
  // Hosts are only normalized in addresses of the web; the port of another protocol stands in no way.
  const url = URL.parse(`https://${rest}`);
  if (scheme === '' || !url) return undefined;
  const isSecure = scheme.toLowerCase() === 'imaps';
  const given = /:(\d+)$/.exec(rest)?.[1];
  const port = given === undefined ? (isSecure ? 993 : 143) : Number(given);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port, isSecure };
}

/**
 * Connects and signs in. The name is looked up once, and the connection goes to the address that was checked.
 *
 * @throws SourceError
 */
export async function connectImap(
  { host, port, isSecure }: ServerAddress,
  credentials: ImapCredentials,
  { resolve, limits, signal }: SourceContext,
): Promise<ImapFlow> {
  signal.throwIfAborted();
  const address = await resolve(host);
  const { username: user } = credentials;
  const options: ImapFlowOptions = {
    host: address,
    port,
    ...(address !== host && { servername: host }),
    secure: isSecure,
    // Without TLS, anybody on the way could read the password; on one machine nobody is on it.
    ...(!isSecure && !LOOPBACK.test(address) && { doSTARTTLS: true }),
    auth:
      'token' in credentials
        ? { user, accessToken: credentials.token }
        : { user, pass: credentials.password },
    clientInfo: { name: 'Latchkey' },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: CONNECTING_MS,
    greetingTimeout: CONNECTING_MS,
    socketTimeout: IDLE_MS,
    maxLineLength: MAX_LINE_BYTES,
    maxLiteralSize: limits.maxBytes + 1,
    maxResponseSize: limits.maxBytes + 2 * MAX_LINE_BYTES,
    maxResponseTokens: MAX_TOKENS,
  };
  // Loaded here, so that a process which only checks configurations does not need it.
  const { ImapFlow: Client } = await import('imapflow');
  const client = new Client(options);
  // Each command fails by itself when the connection does.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.close();
    throw toSourceError(error);
  }
}

const TOO_LARGE: ReadonlySet<unknown> = new Set([
  'LineTooLarge',
  'LiteralTooLarge',
  'ResponseTooLarge',
  'TooManyTokens',
  'TooManyResponses',
]);
const CERTIFICATE = /CERT|SIGNATURE|ISSUER/;

/** Explains a failure without the server's own words, which may repeat a credential. */
export function toSourceError(error: unknown): unknown {
  if (error instanceof SourceError || !(error instanceof Error)) return error;
  const { code, authenticationFailed, tlsFailed, responseStatus } = error as Error &
    Record<string, unknown>;
  const explain = (kind: SourceError['code'], message: string) =>
    new SourceError(kind, message, { cause: error });
  if (authenticationFailed === true) {
    return explain('unauthorized', 'The mail server refuses the credentials.');
  }
  if (typeof code === 'string' && CERTIFICATE.test(code)) {
    return explain('unreachable', 'The certificate of the mail server is not trusted.');
  }
  if (tlsFailed === true) {
    return explain('unreachable', 'The mail server offers no TLS. Try an address with imaps.');
  }
  if (TOO_LARGE.has(code)) {
    return explain('too_large', 'The mail server sent an answer that is too large.');
  }
  if (responseStatus === 'NO' || responseStatus === 'BAD') {
    return explain('unreadable', 'The mail server refused a command.');
  }
  return explain('unreachable', 'The mail server cannot be reached, or ended the connection.');
}
