import { describe, expect, it } from '@jest/globals';
import { outcome } from './support/client.js';
import { sendRaw } from './support/raw-request.js';
import { Service } from './support/service.js';

const SECRET = 'gateway-secret-0123456789-abcdefghij';
const GATEWAY = {
  DASHBOARD_AUTH_MODE: 'gateway',
  TRUSTED_PROXY_CIDRS: '127.0.0.1',
  GATEWAY_SECRETS: SECRET,
};
const OIDC = {
  DASHBOARD_AUTH_MODE: 'oidc',
  OIDC_ISSUER: 'https://idp.example.com',
  OIDC_AUDIENCE: 'latchkey',
};
const EVERYBODY = [
  '0.0.0.0/0',
  '192.0.2.7/0',
  '::/0',
  '::ffff:0.0.0.0/96',
  '::ffff:0:0/96',
  '::/8',
];

describe('the start', () => {
  it.each<[string, string, NodeJS.ProcessEnv]>([
    ['gateway without proxies', 'TRUSTED_PROXY_CIDRS', { ...GATEWAY, TRUSTED_PROXY_CIDRS: '' }],
    [
      'gateway with a secret that no header can carry',
      'GATEWAY_SECRETS',
      { ...GATEWAY, GATEWAY_SECRETS: `${SECRET}ü` },
    ],
    ['gateway without secrets', 'GATEWAY_SECRETS', { ...GATEWAY, GATEWAY_SECRETS: '' }],
    [
      'gateway with a secret of 31 bytes',
      'GATEWAY_SECRETS',
      { ...GATEWAY, GATEWAY_SECRETS: SECRET.slice(0, 31) },
    ],
    [
      'gateway with one short secret of two',
      'GATEWAY_SECRETS',
      { ...GATEWAY, GATEWAY_SECRETS: `${SECRET},too-short-7` },
    ],
    [
      'gateway with an empty secret beside another',
      'GATEWAY_SECRETS',
      { ...GATEWAY, GATEWAY_SECRETS: `${SECRET},` },
    ],
    [
      'gateway with a proxy by name',
      'TRUSTED_PROXY_CIDRS',
      { ...GATEWAY, TRUSTED_PROXY_CIDRS: 'proxy.internal-7' },
    ],
    ['oidc without an issuer', 'OIDC_ISSUER', { ...OIDC, OIDC_ISSUER: '' }],
    ['oidc without an audience', 'OIDC_AUDIENCE', { ...OIDC, OIDC_AUDIENCE: '' }],
    [
      'oidc with an http issuer elsewhere',
      'OIDC_ISSUER',
      { ...OIDC, OIDC_ISSUER: 'http://idp.example.com' },
    ],
    [
      'oidc with an http issuer that only looks local',
      'OIDC_ISSUER',
      { ...OIDC, OIDC_ISSUER: 'http://127.0.0.1@idp.example.com' },
    ],
    [
      'oidc with keys over http from elsewhere',
      'OIDC_JWKS_URL',
      { ...OIDC, OIDC_JWKS_URL: 'http://idp.example.com/jwks' },
    ],
    [
      'oidc with keys from a file',
      'OIDC_JWKS_URL',
      { ...OIDC, OIDC_JWKS_URL: 'file:///etc/jwks.json' },
    ],
    ...EVERYBODY.map((range): [string, string, NodeJS.ProcessEnv] => [
      `gateway with ${range}, which is everybody,`,
      'TRUSTED_PROXY_CIDRS',
      { ...GATEWAY, TRUSTED_PROXY_CIDRS: `10.0.0.0/8,${range}` },
    ]),
  ])('is refused for %s in one line that names %s', async (_, variable, environment) => {
    const { code, output } = await Service.refusal(environment);
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(output).toContain(variable);
    for (const value of [SECRET, 'too-short-7', 'proxy.internal-7', 'idp.example.com']) {
      expect(output).not.toContain(value);
    }
  });

  it.each<[string, NodeJS.ProcessEnv, string]>([
    ['gateway', { ...GATEWAY, DASHBOARD_AUTH_TRUST_UNSAFE: 'yes' }, '401'],
    ['oidc', { ...OIDC, DASHBOARD_AUTH_TRUST_UNSAFE: 'yes' }, '401'],
    ['trust', { ...GATEWAY, ...OIDC, DASHBOARD_AUTH_MODE: 'trust' }, '200'],
  ])('takes %s at its word: no other mode stands in', async (_, environment, status) => {
    const service = await Service.start(environment);
    const answer = await sendRaw(service, 'GET /api/v1/kbs', ['X-Idp-User-Id: alice']);
    await service.stop();
    expect(outcome(answer).slice(0, 3)).toBe(status);
  });

  it.each(['http://127.0.0.1:9', 'http://localhost:9', 'http://[::1]:9'])(
    'takes the http issuer %s, which is this machine',
    async (issuer) => {
      const service = await Service.start({ ...OIDC, OIDC_ISSUER: issuer });
      expect(await service.stop()).toBe(0);
    },
  );
});
