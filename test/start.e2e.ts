import { describe, expect, it } from '@jest/globals';
import { outcome } from './support/client.js';
import { sendRaw } from './support/raw-request.js';
import { Service } from './support/service.js';

const PEPPERS = `p1:${Buffer.alloc(32, 7).toString('base64')}`;

// All that is refused: config.spec.ts and peppers.spec.ts. Here, that a refusal ends the process.
describe('the start', () => {
  it('is refused in production with trust, and the reason is told', async () => {
    const { code, output } = await Service.refusal({
      API_KEY_PEPPERS: PEPPERS,
      NODE_ENV: 'production',
      DASHBOARD_AUTH_MODE: 'trust',
    });
    expect(code).toBe(1);
    expect(output).toContain('DASHBOARD_AUTH_MODE');
    expect(output.trim().split('\n')).toHaveLength(1);
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
    ['API_KEY_PEPPERS', 'p1:dG9vLXNob3J0'],
  ])('is refused with a bad %s, which is named, its value not', async (variable, value) => {
    const { code, output } = await Service.refusal({ [variable]: value });
    expect(code).toBe(1);
    expect(output).toContain(variable);
    expect(output).not.toContain(value);
    expect(output.trim().split('\n')).toHaveLength(1);
  });
});
