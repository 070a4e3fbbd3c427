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

// All that is refused: config.spec.ts. Here, that a refusal ends the process.
describe('the start', () => {
  it.each<[string, string, NodeJS.ProcessEnv]>([
    [
      'gateway with one short secret of two',
      'GATEWAY_SECRETS',
      { ...GATEWAY, GATEWAY_SECRETS: `${SECRET},too-short-7` },
    ],
  ])('is refused for %s in one line that names %s', async (_, variable, environment) => {
    const { code, output } = await Service.refusal(environment);
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(output).toContain(variable);
    for (const value of [SECRET, 'too-short-7']) {
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

  it('takes the http issuer http://[::1]:9, which is this machine', async () => {
    const service = await Service.start({ ...OIDC, OIDC_ISSUER: 'http://[::1]:9' });
    expect(await service.stop()).toBe(0);
  });
});
