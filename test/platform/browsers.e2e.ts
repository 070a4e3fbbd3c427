import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { eventually, Service } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const ALLOWED = 'https://dashboard.example.com';
const ALICE = newUserId('alice');

describe('browsers', () => {
  let plain: SharedService;
  let open: Service;

  beforeAll(async () => {
    plain = await sharedService();
    open = await Service.start({ DASHBOARD_ALLOWED_ORIGINS: ALLOWED });
  });

  afterAll(() => open.stop());

  const preflight = (service: { url: string }, origin: string) =>
    fetch(`${service.url}/api/v1/kbs`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });

  it('may not read answers from other pages by default', async () => {
    expect((await preflight(plain, ALLOWED)).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('may read them from the pages of origins that are listed, and no others', async () => {
    const allowed = await preflight(open, ALLOWED);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(ALLOWED);
    expect(allowed.headers.get('access-control-allow-methods')).toContain('PATCH');
    const other = await preflight(open, 'https://dashboard.example.com.evil.example');
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each(['/docs', '/openapi.json', '/api/v1/kbs', '/nothing/here'])(
    'are told with %s what our pages may do',
    async (path) => {
      const { headers } = await fetch(plain.url + path);
      expect(headers.get('content-security-policy')).toMatch(
        /default-src 'self'.*script-src 'self'/,
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    },
  );

  it('are told not to keep an answer with a secret', async () => {
    const alice = new Client(plain, ALICE);
    const kb = await alice.createKnowledgeBase();
    const body = { name: 'Shop', environment: 'live' };
    const { headers } = await alice.post(`/kbs/${kb.id}/api-keys`, body);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('find out whom to tell of a vulnerability where the operator has said so', async () => {
    const told = await fetch(`${plain.url}/.well-known/security.txt`);
    expect(told.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await told.text()).toMatch(
      /^Contact: mailto:security@example\.com\nExpires: \d{4}-\d\d-\d\dT[\d:.]+Z\n/,
    );
    expect((await fetch(`${open.url}/.well-known/security.txt`)).status).toBe(404);
  });

  it('leave one line in the log for each answer, with who asked and which route', async () => {
    const alice = new Client(plain, ALICE);
    const kb = await alice.createKnowledgeBase();
    const key = await alice.createApiKey(kb.id);
    const managed = await alice.get(`/kbs/${kb.id}`);
    const asked = await new Client(plain).query(key.api_key, 'anything');

    const lineOf = (requestId: string | null) =>
      plain.logs
        .split('\n')
        .filter((line) => line.includes('"answered"') && line.includes(String(requestId)))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    await eventually(() => lineOf(asked.headers.get('x-request-id')).length === 1);
    expect(lineOf(managed.headers.get('x-request-id'))).toEqual([
      expect.objectContaining({ user_id: ALICE, route: '/api/v1/kbs/:kb_id', status: 200 }),
    ]);
    expect(lineOf(asked.headers.get('x-request-id'))).toEqual([
      expect.objectContaining({ key_id: key.id, route: '/api/v1/query', status: 200 }),
    ]);
  });
});
