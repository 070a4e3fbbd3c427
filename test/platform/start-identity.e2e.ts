import { describe, expect, it } from '@jest/globals';
import { outcome } from '../support/client.js';
import { sendRaw } from '../support/raw-request.js';
import { Service } from '../support/service.js';

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

// What is refused: config.spec.ts, and start.e2e.ts.
describe('the start', () => {
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
});
