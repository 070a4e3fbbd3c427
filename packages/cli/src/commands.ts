import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { connect, type Connection, readAllPages, type Client } from './client.js';
import type { components } from '@latchkey/client';
import { printable } from './printable.js';

type IssuedKey = components['schemas']['IssuedApiKeyDto'];
type NewKey = components['schemas']['CreateApiKeyDto'];
type Scope = NonNullable<NewKey['scopes']>[number];
type Filter = NonNullable<NewKey['filter']>;

export class UsageError extends Error {}

interface Session {
  readonly client: Client;
  /** Prints the answer as JSON with --json, else the lines. */
  readonly print: (answered: unknown, lines: () => string[]) => void;
}

export function openSession(command: Command, { asUser = true } = {}): Session {
  const { url, user, json } = command.optsWithGlobals<Connection & { json?: boolean }>();
  if (!URL.canParse(url)) throw new UsageError(`${url} is not a URL`);
  if (asUser && !user)
    throw new UsageError('name the dashboard user to act for: --user or LATCHKEY_USER');
  return {
    client: connect({ url, user }),
    print: (answered, lines) => {
      if (json) console.log(JSON.stringify(answered, null, 2));
      else for (const line of lines()) console.log(printable(line));
    },
  };
}

/** Opens a session with the key in LATCHKEY_API_KEY, for commands that need no dashboard user. */
export function openKeySession(command: Command): Session {
  const { LATCHKEY_API_KEY: apiKey } = process.env;
  if (!apiKey) throw new UsageError('put the API key into LATCHKEY_API_KEY');
  const { url } = command.optsWithGlobals<Connection>();
  const { print } = openSession(command, { asUser: false });
  return { client: connect({ url, user: undefined, apiKey }), print };
}

/** A random key, so that a request repeated after a lost answer creates nothing twice. */
export const createIdempotencyKey = () => ({ 'Idempotency-Key': randomUUID() });

export async function createKnowledgeBase(
  name: string,
  { description }: { description?: string },
  command: Command,
): Promise<void> {
  const { client, print } = openSession(command);
  const kb = await client.post('/api/v1/kbs', {
    headers: createIdempotencyKey(),
    body: { name, ...(description !== undefined && { description }) },
  });
  print(kb, () => [kb.id]);
}

export async function listKnowledgeBases(_: object, command: Command): Promise<void> {
  const { client, print } = openSession(command);
  const rows = await readAllPages((query) => client.get('/api/v1/kbs', { query }));
  print(rows, () =>
    table(
      ['ID', 'ROLE', 'DOCUMENTS', 'NAME'],
      rows.map((kb) => [kb.id, kb.role, String(kb.document_count), kb.name]),
    ),
  );
}

interface IssueOptions {
  name: string;
  environment: 'live' | 'test';
  description?: string;
  expiresAt?: string;
  rateLimit?: number;
  endUserRateLimit?: number;
  allowIp?: string[];
  scope?: Scope[];
  filter?: Filter;
}

export async function issueKey(
  kbId: string,
  options: IssueOptions,
  command: Command,
): Promise<void> {
  const { name, environment, description, expiresAt, rateLimit, endUserRateLimit } = options;
  const { allowIp, scope, filter } = options;
  const { client, print } = openSession(command);
  const key = await client.post('/api/v1/kbs/{kb_id}/api-keys', {
    path: { kb_id: kbId },
    headers: createIdempotencyKey(),
    body: {
      name,
      environment,
      ...(description !== undefined && { description }),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
      ...(rateLimit !== undefined && { rate_limit_per_minute: rateLimit }),
      ...(endUserRateLimit !== undefined && { rate_limit_per_end_user: endUserRateLimit }),
      ...(allowIp !== undefined && { allowed_ips: allowIp }),
      ...(scope !== undefined && { scopes: scope }),
      ...(filter !== undefined && { filter }),
    },
  });
  print(key, () => printSecret(key));
}

/** Names a key whose `state` is `deactivated` revoked, as all texts for people do. */
const describeState = ({ state, active }: { state: string; active: boolean }): string => {
  if (state !== 'active') return 'revoked';
  return active ? 'active' : 'expired';
};

export async function listKeys(kbId: string, _: object, command: Command): Promise<void> {
  const { client, print } = openSession(command);
  const rows = await readAllPages((query) =>
    client.get('/api/v1/kbs/{kb_id}/api-keys', { path: { kb_id: kbId }, query }),
  );
  print(rows, () =>
    table(
      ['ID', 'PREFIX', 'STATE', 'LAST USED', 'NAME'],
      rows.map((key) => [
        key.id,
        key.prefix,
        describeState(key),
        key.last_used_at ?? 'never',
        key.name,
      ]),
    ),
  );
}

export async function showUsage(keyId: string, _: object, command: Command): Promise<void> {
  const { client, print } = openSession(command);
  const usage = await client.get('/api/v1/api-keys/{key_id}/usage', { path: { key_id: keyId } });
  print(usage, () => [
    `Requests: ${usage.requests_24h} in 24 hours, ${usage.requests_30d} in 30 days`,
    `Last used: ${usage.last_used_at ?? 'never'}${usage.last_ip ? ` from ${usage.last_ip}` : ''}`,
    `Addresses in 24 hours: ${usage.distinct_ips_24h}`,
    `Refused since it was revoked: ${usage.refused_uses_since_revoked}`,
    usage.safe_to_revoke
      ? 'Safe to revoke: nobody used it in the last 24 hours.'
      : 'In use: whatever uses it stops when you revoke it.',
  ]);
}

const UNITS = new Set(['messages', 'tokens', 'cost']);

/** Formats the amount of a limit, or of a budget with its unit. */
function formatAmount(limit: number | object | null): string {
  if (typeof limit !== 'object') return String(limit);
  const [amount] = Object.entries(limit ?? {}).filter(([name]) => UNITS.has(name));
  return amount ? `${String(amount[1])} ${amount[0]}` : '?';
}

export async function showKey(_: object, command: Command): Promise<void> {
  const { client, print } = openKeySession(command);
  const view = await client.get('/api/v1/key', {});
  const { limits, remaining } = view;
  const names = Object.keys(limits) as (keyof typeof limits)[];
  print(view, () => [
    `${view.id}${view.name === null ? '' : ` (${view.name})`}, ${view.kind.replace('_', ' ')}`,
    `Knowledge bases: ${view.kbs.map(({ kb_id: id }) => id).join(', ') || 'none'}`,
    `Scopes: ${view.scopes.join(', ')}`,
    ...(view.filter ? [`Filter: ${JSON.stringify(view.filter)}`] : []),
    `Expires: ${view.expires_at ?? 'never'}`,
    ...names
      .filter((name) => limits[name] !== null)
      .map(
        (name) => `${name}: ${formatAmount(remaining[name])} of ${formatAmount(limits[name])} left`,
      ),
    ...(view.usage_30d ? [`Requests in 30 days: ${view.usage_30d.requests}`] : []),
    ...view.notices.map(({ message, at }) => (at === null ? message : `${message} (${at})`)),
  ]);
}

interface RotateOptions {
  gracePeriod?: number;
  idempotencyKey?: string;
}

export async function rotateKey(
  keyId: string | undefined,
  { gracePeriod, idempotencyKey }: RotateOptions,
  command: Command,
): Promise<void> {
  const headers =
    idempotencyKey === undefined ? createIdempotencyKey() : { 'Idempotency-Key': idempotencyKey };
  if (keyId === undefined) {
    if (gracePeriod !== undefined) {
      throw new UsageError('--grace-period needs the id of a key: a key cannot choose its own');
    }
    const { client, print } = openKeySession(command);
    const successor = await client.post('/api/v1/key/rotate', { headers });
    print(successor, () => printSecret(successor));
    return;
  }
  const { client, print } = openSession(command);
  const key = await client.post('/api/v1/api-keys/{key_id}/rotate', {
    path: { key_id: keyId },
    headers,
    body: gracePeriod === undefined ? {} : { grace_period_seconds: gracePeriod },
  });
  print(key, () => printSecret(key));
}

export async function revokeKey(
  keyId: string | undefined,
  _: object,
  command: Command,
): Promise<void> {
  if (keyId === undefined) {
    const { client, print } = openKeySession(command);
    print(await client.post('/api/v1/key/revoke', {}), () => ['The key is revoked.']);
    return;
  }
  const { client, print } = openSession(command);
  const success = await client.patch('/api/v1/api-keys/{key_id}/revoke', {
    path: { key_id: keyId },
  });
  print(success, () => [`${keyId} is revoked.`]);
}

/** The confidence below which an answer is printed with a warning. */
const SURE = 0.6;

export async function ask(question: string, _: object, command: Command): Promise<void> {
  const { client, print } = openKeySession(command);
  const chat = await client.post('/api/v1/chat', { body: { message: question } });
  print(chat, () => [
    ...(chat.answered && (chat.confidence ?? 1) < SURE ? ['This may not be what you asked.'] : []),
    ...chat.answer.split('\n'),
    ...chat.sources.map(({ index, document_title }) => `[${index}] ${document_title}`),
  ]);
}

interface TokenOptions {
  endUser: string;
  expiresIn?: number;
  scope?: Scope[];
  filter?: Filter;
  allowOrigin?: string[];
}

export async function issueToken(
  { endUser, expiresIn, scope, filter, allowOrigin }: TokenOptions,
  command: Command,
): Promise<void> {
  const { client, print } = openKeySession(command);
  const token = await client.post('/api/v1/client-tokens', {
    body: {
      end_user_id: endUser,
      ...(expiresIn !== undefined && { expires_in_seconds: expiresIn }),
      ...(scope !== undefined && { scopes: scope }),
      ...(filter !== undefined && { filter }),
      ...(allowOrigin !== undefined && { allowed_origins: allowOrigin }),
    },
  });
  // The operation also exchanges tokens, and then answers in another form.
  if (!('client_token' in token)) throw new Error('The service made no client token');
  print(token, () => {
    console.error(`For ${printable(token.end_user_id)}, until ${token.expires_at}:`);
    return [token.client_token];
  });
}

/** Only the secret goes to standard output, so that it can be piped into a secret manager. */
function printSecret({ id, name, api_key }: Pick<IssuedKey, 'id' | 'api_key'> & { name?: string }) {
  const named = name === undefined ? '' : ` (${printable(name)})`;
  console.error(`${id}${named}. The secret is shown this once:`);
  return [api_key];
}

export function table(head: string[], texts: string[][]): string[] {
  const rows = texts.map((row) => row.map(printable));
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [head, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
