import { describe, expect, it } from '@jest/globals';
import { outcome } from './support/client.js';
import { sendRaw } from './support/raw-request.js';
import { Service } from './support/service.js';

const PEPPERS = `p1:${Buffer.alloc(32, 7).toString('base64')}`;

describe('the start', () => {
  it.each([
    ['in production without a mode', { NODE_ENV: 'production' }],
    ['in production with trust', { NODE_ENV: 'production', DASHBOARD_AUTH_MODE: 'trust' }],
    ['with trust on every address', { DASHBOARD_AUTH_MODE: 'trust', HOST: '0.0.0.0' }],
    ['with trust on every IPv6 address', { DASHBOARD_AUTH_MODE: 'trust', HOST: '::' }],
    ['with trust on a network address', { DASHBOARD_AUTH_MODE: 'trust', HOST: '192.0.2.1' }],
    ['with trust on a name like loopback', { HOST: '127.attacker.example' }],
    ['without a mode on every address', { HOST: '0.0.0.0' }],
    ['with an opt-in that says no', { HOST: '0.0.0.0', DASHBOARD_AUTH_TRUST_UNSAFE: 'no' }],
  ])('is refused %s, and the reason is told', async (_, environment) => {
    const { code, output } = await Service.refusal({ API_KEY_PEPPERS: PEPPERS, ...environment });
    expect(code).toBe(1);
    expect(output).toContain('DASHBOARD_AUTH_MODE');
    expect(output).not.toContain('    at ');
  });

  it.each([
    ['in production', { NODE_ENV: 'production', API_KEY_PEPPERS: PEPPERS }],
    ['on every address', { HOST: '0.0.0.0' }],
  ])('takes trust %s when that is asked for in words', async (_, environment) => {
    const service = await Service.start({
      DASHBOARD_AUTH_MODE: 'trust',
      DASHBOARD_AUTH_TRUST_UNSAFE: 'yes',
      ...environment,
    });
    const lines = ['X-Idp-User-Id: alice', 'Host: kb.example.com'];
    const answer = await sendRaw(service, 'GET /api/v1/kbs', lines);
    await service.stop();
    expect(outcome(answer)).toBe('200');
  });

  it.each([
    ['PORT', '70123'],
    ['PORT', 'not-a-port'],
    ['NODE_ENV', 'staging-7'],
    ['LOG_LEVEL', 'chatty-7'],
    ['DASHBOARD_AUTH_MODE', 'everybody-7'],
    ['DASHBOARD_AUTH_TRUST_UNSAFE', 'perhaps-7'],
    ['API_KEY_BCRYPT_COST', '99'],
    ['API_KEY_PEPPERS', 'p1:dG9vLXNob3J0'],
    ['API_KEY_PEPPERS', 'no-id-in-front-of-this-one'],
    ['API_KEY_PEPPERS', `${PEPPERS},${PEPPERS}`],
  ])('is refused with a bad %s, which is named, its value not', async (variable, value) => {
    const { code, output } = await Service.refusal({ [variable]: value });
    expect(code).toBe(1);
    expect(output).toContain(variable);
    expect(output).not.toContain(value);
  });
});
