import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, atOnce, Client, outcome, outcomes, type Problem } from './support/client.js';
import { inSeconds, KeyServer, newSigningKey, type SigningKey } from './support/key-server.js';
import { eventually, Service } from './support/service.js';

const REFUSED = '401 dashboard_authentication_required';
const UNAVAILABLE = '503 identity_provider_unavailable';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('the provider’s keys', () => {
  let key: SigningKey;
  let next: SigningKey;
  let provider: KeyServer;
  let service: Service;
  let clockFile: string;

  beforeAll(async () => {
    [key, next] = [await newSigningKey('k1'), await newSigningKey('k2')];
  });

  beforeEach(async () => {
    provider = await KeyServer.start(key);
    clockFile = join(
      mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'clock-')),
      'ms',
    );
    timePasses(0);
  });

  afterEach(() => Promise.all([service.stop(), provider.stop()]));

  const start = async (environment: NodeJS.ProcessEnv = {}) => {
    service = await Service.start({
      DASHBOARD_AUTH_MODE: 'oidc',
      OIDC_ISSUER: provider.issuer,
      OIDC_AUDIENCE: 'latchkey',
      NODE_OPTIONS: '--import ./test/support/clock.mjs',
      CLOCK_FILE: clockFile,
      ...environment,
    });
  };
  /** Counted from the start. */
  const timePasses = (ms: number) => {
    writeFileSync(clockFile, String(ms));
  };
  const present = (token: string): Promise<Answer<Problem>> =>
    new Client(service, 'alice').call('GET', '/kbs', undefined, {
      authorization: `Bearer ${token}`,
    });
  const use = async (signer: SigningKey) => outcome(await present(await provider.token(signer)));

  it('are read once for many requests', async () => {
    await start();
    const token = await provider.token(key);
    expect(outcomes(await atOnce(50, () => present(token)))).toEqual({ '200': 50 });
    expect(provider.reads).toBe(1);
  });

  it('are read at OIDC_JWKS_URL where that is given, without discovery', async () => {
    provider.discovery = { issuer: 'https://elsewhere.example.com' };
    await start({ OIDC_JWKS_URL: provider.jwksUrl });
    expect(await use(key)).toBe('200');
  });

  it('are not taken from a discovery that names another issuer, no keys, http elsewhere or a file', async () => {
    await start();
    const wrong = {
      'another issuer': { issuer: 'https://elsewhere.example.com' },
      'no keys': { jwks_uri: undefined },
      // Can be reached, and is no loopback address.
      'http elsewhere': { jwks_uri: provider.jwksUrl.replace('127.0.0.1', '0.0.0.0') },
      'a file': { jwks_uri: 'file:///etc/passwd' },
    };
    for (const [round, [what, discovery]] of Object.entries(wrong).entries()) {
      provider.discovery = discovery;
      timePasses(round * 1001);
      expect([what, await use(key)]).toEqual([what, UNAVAILABLE]);
      expect(provider.discoveries).toBe(round + 1);
    }
    expect(provider.reads).toBe(0);
  });

  it('are read at most twice for 1,000 tokens with unknown key ids', async () => {
    await start();
    expect(await use(key)).toBe('200');
    const tokens = await atOnce(1000, (index) => provider.token(key, {}, { kid: `f${index}` }));
    // Half of them later, when the keys may be read again.
    const early = await atOnce(500, (index) => present(String(tokens[index])));
    timePasses(MINUTE_MS / 2 + 1);
    const late = await atOnce(500, (index) => present(String(tokens[500 + index])));
    expect(outcomes([...early, ...late])).toEqual({ [REFUSED]: 1000 });
    expect(provider.reads).toBe(2);
  });

  it('are taken up within a minute when the provider has new ones', async () => {
    await start();
    expect(await use(key)).toBe('200');
    provider.keys = [key, next];
    timePasses(MINUTE_MS);
    expect([await use(next), await use(key)]).toEqual(['200', '200']);
  });

  it('are forgotten when the provider has withdrawn them', async () => {
    await start();
    expect(await use(key)).toBe('200');
    provider.keys = [next];
    timePasses(MINUTE_MS + 1);
    await eventually(async () => (await use(key)) === REFUSED);
    expect(await use(next)).toBe('200');
  });

  it('go on for as long as the provider is away', async () => {
    await start();
    expect(await use(key)).toBe('200');
    provider.up = false;
    const token = await provider.token(key, { exp: inSeconds((2 * DAY_MS) / 1000) });
    for (const ms of [0, 2 * MINUTE_MS, DAY_MS]) {
      timePasses(ms);
      expect(outcomes(await atOnce(20, () => present(token)))).toEqual({
        '200': 20,
      });
    }
    // The refresh was tried, and its failure told to whoever reads the log.
    await eventually(() => service.logs.includes('keys cannot be refreshed'));
    expect(provider.reads).toBeGreaterThan(1);
  });

  it('still refuse forgeries while the provider is away', async () => {
    await start();
    expect(await use(key)).toBe('200');
    provider.up = false;
    expect(await use({ ...next, kid: key.kid })).toBe(REFUSED);
    expect(outcome(await present(await provider.token(key, { sub: 'bob' })))).toBe(REFUSED);
  });

  it('that cannot be had answer 503 with Retry-After, and are had once the provider is back', async () => {
    provider.up = false;
    await start();
    const answer = await present(await provider.token(key));
    expect(outcome(answer)).toBe(UNAVAILABLE);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.text).not.toContain(provider.issuer);

    // Whatever needs no key is answered as ever.
    expect(outcome(await present('no-token'))).toBe(REFUSED);
    expect(outcome(await new Client(service).query('nonsense', 'Hi'))).toBe('401 invalid_api_key');
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);

    provider.up = true;
    timePasses(1001);
    expect(await use(key)).toBe('200');
  });

  it('are asked for once a second at most while the provider is away', async () => {
    await start();
    expect(await use(key)).toBe('200');
    provider.up = false;
    // Later than the keys may be read again because of an unknown key id.
    timePasses(MINUTE_MS / 2 + 1);
    const before = provider.reads;
    const began = Date.now();
    for (let forged = 0; forged < 20; forged++) {
      expect(await use({ ...next, kid: `forged-${forged}` })).toBe(UNAVAILABLE);
    }
    const seconds = Math.floor((Date.now() - began) / 1000);
    expect(provider.reads - before).toBeLessThanOrEqual(1 + seconds);
    expect(await use(key)).toBe('200');
  });

  it('are not needed to start: the provider may come later, or nothing may listen', async () => {
    await start({ OIDC_JWKS_URL: 'http://127.0.0.1:9/keys' });
    expect(await use(key)).toBe(UNAVAILABLE);
  });
});
