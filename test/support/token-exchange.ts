import { inSeconds, type KeyServer, type SigningKey } from './key-server.js';
import type { JWTHeaderParameters, JWTPayload } from 'jose';
import type { Answer } from './answers.js';
import type { Client } from './client.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT = 'urn:ietf:params:oauth:token-type:jwt';

export interface ExchangedToken {
  access_token: string;
  issued_token_type: string;
  token_type: string;
  expires_in: number;
  scope: string;
  code?: string;
  error?: string;
}

export interface Trust {
  id: string;
  kb_id: string;
  api_key_id: string;
  last_used_at: string | null;
}

let addresses = 0;

/** Another one each time, because failed exchanges are limited by address. */
const newAddress = () => `10.0.${(addresses >> 8) & 255}.${addresses++ & 255}`;

/** As a workload sends it; `undefined` leaves a field out. `ip` counts behind a trusted proxy only. */
export function exchangeToken(
  client: Client,
  token: string,
  more: Record<string, string | undefined> = {},
  ip = newAddress(),
): Promise<Answer<ExchangedToken>> {
  const all = { grant_type: GRANT, subject_token: token, subject_token_type: JWT, ...more };
  const given = Object.entries(all).filter((field): field is [string, string] => !!field[1]);
  return client.call('POST', '/client-tokens', new URLSearchParams(given).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    'x-forwarded-for': ip,
  });
}

export const WORKLOAD = 'repo:shop/site:ref:refs/heads/main';

/** A good token of a workload but for what is given. */
export const workloadToken = (
  issuer: KeyServer,
  key: SigningKey,
  claims: JWTPayload = {},
  header: Partial<JWTHeaderParameters> = {},
): Promise<string> =>
  issuer.token(
    key,
    { sub: WORKLOAD, iat: inSeconds(0), repository: 'shop/site', ...claims },
    header,
  );
