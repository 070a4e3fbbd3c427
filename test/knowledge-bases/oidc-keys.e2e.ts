import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  atOnce,
  Client,
  inTurns,
  outcome,
  outcomes,
  type Problem,
} from '../support/client.js';
import { inSeconds, KeyServer, newSigningKey, type SigningKey } from '../support/key-server.js';
import { eventually, Service } from '../support/service.js';

const REFUSED = '401 dashboard_authentication_required';
const UNAVAILABLE = '503 identity_provider_unavailable';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe('the provider’s keys', () => {
  let key: SigningKey;
  let next: SigningKey;
  let provider: KeyServer;
  let service: Service;
  let clockFile: string;
  /** When the test began, and what time it is, on the clock of the service. */
  let began = 0;
  let now = 0;

  beforeAll(async () => {
    [key, next] = [await newSigningKey('k1'), await newSigningKey('k2')];
    clockFile = join(
      mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'clock-')),
      'ms',
    );
  });

  const start = async (environment: NodeJS.ProcessEnv = {}) => {
    timePasses(0);
    service = await Service.start({
      DASHBOARD_AUTH_MODE: 'oidc',
      OIDC_ISSUER: provider.issuer,
      OIDC_AUDIENCE: 'latchkey',
      NODE_OPTIONS: '--import ./test/support/clock.mjs',
      CLOCK_FILE: clockFile,
      ...environment,
    });
  };
  const stop = () => Promise.all([service.stop(), provider.stop()]);
  /** Counted from when the test began. */
  const timePasses = (ms: number) => {
    now = began + ms;
    writeFileSync(clockFile, String(now));
  };
  const expiringIn = (ms: number) => inSeconds((began + ms) / 1000);
  const token = (signer: SigningKey, claims: object = {}, header: object = {}) =>
    provider.token(signer, { exp: expiringIn(5 * MINUTE_MS), ...claims }, header);
  const present = (bearer: string): Promise<Answer<Problem>> =>
    new Client(service, 'alice').call('GET', '/kbs', undefined, {
      authorization: `Bearer ${bearer}`,
    });
  const use = async (signer: SigningKey) => outcome(await present(await token(signer)));

  describe('of a service', () => {
    beforeAll(async () => {
      provider = await KeyServer.start(key);
      await start();
    });

    beforeEach(() => {
      began = now + HOUR_MS;
      timePasses(0);
      provider.up = true;
      provider.keys = [key];
    });

    afterAll(stop);

    it('are not taken from a discovery that names another issuer, no keys, http elsewhere or a file', async () => {
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
      provider.discovery = {};
    });

    it('cause 503 with Retry-After while unavailable, and are then read once for many requests', async () => {
      provider.up = false;
      const answer = await present(await token(key));
      expect(outcome(answer)).toBe(UNAVAILABLE);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.text).not.toContain(provider.issuer);

      // Whatever needs no key is answered as ever.
      expect(outcome(await present('no-token'))).toBe(REFUSED);
      expect(outcome(await new Client(service).query('nonsense', 'Hi'))).toBe(
        '401 invalid_api_key',
      );
      expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);

      provider.up = true;
      timePasses(1001);
      const good = await token(key);
      expect(outcomes(await atOnce(50, () => present(good)))).toEqual({ '200': 50 });
      expect(provider.reads).toBe(1);
    });

    describe('that has read them', () => {
      let readAt = 0;

      beforeEach(async () => {
        readAt = Date.now();
        // They are older than a minute, so that they are read again first.
        expect(await use(key)).toBe('200');
        provider.reads = 1;
      });

      it('are read once in half a minute at most, for 1,000 tokens with unknown key ids', async () => {
        const tokens = await atOnce(1000, (index) => token(key, {}, { kid: `f${index}` }));
        // Half of them later, when the keys may be read again. They are also read again each minute.
        const early = await inTurns(500, 50, (index) => present(String(tokens[index])));
        timePasses(MINUTE_MS / 2 + 1);
        const late = await inTurns(500, 50, (index) => present(String(tokens[500 + index])));
        expect(outcomes([...early, ...late])).toEqual({ [REFUSED]: 1000 });
        const halfMinutes = Math.floor((now - began + Date.now() - readAt) / (MINUTE_MS / 2));
        expect(provider.reads).toBeGreaterThanOrEqual(2);
        expect(provider.reads).toBeLessThanOrEqual(1 + halfMinutes + Math.floor(halfMinutes / 2));
      });

      it('are taken up within a minute when the provider has new ones', async () => {
        provider.keys = [key, next];
        timePasses(MINUTE_MS);
        expect([await use(next), await use(key)]).toEqual(['200', '200']);
      });

      it('are forgotten when the provider has withdrawn them', async () => {
        provider.keys = [next];
        timePasses(MINUTE_MS + 1);
        await eventually(async () => (await use(key)) === REFUSED);
        expect(await use(next)).toBe('200');
      });

      it('go on for as long as the provider is away', async () => {
        provider.up = false;
        const good = await token(key, { exp: expiringIn(2 * DAY_MS) });
        for (const ms of [0, 2 * MINUTE_MS, DAY_MS]) {
          timePasses(ms);
          expect(outcomes(await atOnce(20, () => present(good)))).toEqual({
            '200': 20,
          });
        }
        // The refresh was tried, and its failure told to whoever reads the log.
        await eventually(() =>
          service.logs.includes("Cannot refresh the identity provider's keys"),
        );
        expect(provider.reads).toBeGreaterThan(1);
      });

      it('still refuse forgeries while the provider is away', async () => {
        provider.up = false;
        expect(await use({ ...next, kid: key.kid })).toBe(REFUSED);
        expect(outcome(await present(await token(key, { sub: 'bob' })))).toBe(REFUSED);
      });

      it('are asked for once a second at most while the provider is away', async () => {
        provider.up = false;
        // Later than the keys may be read again because of an unknown key id.
        timePasses(MINUTE_MS / 2 + 1);
        const before = provider.reads;
        const since = Date.now();
        for (let forged = 0; forged < 20; forged++) {
          expect(await use({ ...next, kid: `forged-${forged}` })).toBe(UNAVAILABLE);
        }
        const seconds = Math.floor((Date.now() - since) / 1000);
        expect(provider.reads - before).toBeLessThanOrEqual(1 + seconds);
        expect(await use(key)).toBe('200');
      });
    });
  });

  describe('of a service that is told where they are', () => {
    beforeEach(async () => {
      provider = await KeyServer.start(key);
    });

    afterEach(stop);

    it('are read at OIDC_JWKS_URL where that is given, without discovery', async () => {
      provider.discovery = { issuer: 'https://elsewhere.example.com' };
      await start({ OIDC_JWKS_URL: provider.jwksUrl });
      expect(await use(key)).toBe('200');
    });

    it('are not needed to start: the provider may come later, or nothing may listen', async () => {
      await start({ OIDC_JWKS_URL: 'http://127.0.0.1:9/keys' });
      expect(await use(key)).toBe(UNAVAILABLE);
    });
  });
});
