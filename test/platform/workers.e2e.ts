import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ApiKeyUsage,
  atOnce,
  Client,
  type IssuedApiKey,
  outcome,
  outcomes,
} from '../support/client.js';
import { freePort } from '../support/postgres.mjs';
import { eventually, Service } from '../support/service.js';

const WORKERS = 3;

describe('several workers on one port', () => {
  let service: Service;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let metrics: string;

  beforeAll(async () => {
    const port = await freePort();
    metrics = `http://127.0.0.1:${port}/metrics`;
    service = await Service.start({ WORKERS: String(WORKERS), METRICS_PORT: String(port) });
    alice = new Client(service, 'alice');
    partner = new Client(service);
    kbId = (await alice.createKnowledgeBase()).id;
  });

  afterAll(() => service.stop());

  /** Connections go round: each request on its own meets another worker. */
  const apart = { connection: 'close' };
  const ask = ({ api_key }: IssuedApiKey) =>
    partner.post('/query', { api_key, message: 'Anything?' }, apart);
  const workers = () => {
    const { pid } = service;
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  };
  const answering = () =>
    new Set(
      service.logs
        .split('\n')
        .filter((line) => line.includes('"answered"'))
        .map((line) => (JSON.parse(line) as { pid: number }).pid),
    );

  it('share the work', async () => {
    const key = await alice.createApiKey(kbId);
    expect(workers()).toHaveLength(WORKERS);
    await eventually(async () => {
      await atOnce(WORKERS, () => ask(key));
      return answering().size === WORKERS;
    });
    expect([...answering()].sort()).toEqual(workers().sort());
  });

  it('refuse a revoked key, all of them, from the moment of the answer', async () => {
    for (let trial = 0; trial < 20; trial++) {
      const key = await alice.createApiKey(kbId);
      expect(outcomes(await atOnce(6, () => ask(key)))).toEqual({ '200': 6 });
      await alice.call('PATCH', `/api-keys/${key.id}/revoke`);
      expect(outcomes(await atOnce(12, () => ask(key)))).toEqual({ '401 api_key_revoked': 12 });
      await alice.call('DELETE', `/api-keys/${key.id}`);
    }
  });

  it('count a key’s requests together', async () => {
    const key = await alice.createApiKey(kbId, { rate_limit_per_minute: 20 });
    const answers = await atOnce(60, () => ask(key));
    expect(outcomes(answers)).toEqual({ '200': 20, '429 rate_limited': 40 });
    const usage = async () =>
      (await alice.get<ApiKeyUsage>(`/api-keys/${key.id}/usage`)).body.requests_24h;
    await eventually(async () => (await usage()) === 20);
  });

  it('are measured together', async () => {
    const counted = async () => {
      const text = await (await fetch(metrics)).text();
      const line = text
        .split('\n')
        .find((one) => /^latchkey_http_request_duration_seconds_count.*api_key_revoked/.test(one));
      return Number(line?.split(' ').at(-1));
    };
    expect(await counted()).toBe(240);
  });

  it('are replaced when they die, while the others go on', async () => {
    const key = await alice.createApiKey(kbId);
    const [victim = 0, ...others] = workers();
    process.kill(victim, 'SIGKILL');
    await eventually(() => !workers().includes(victim));
    expect(workers()).toEqual(expect.arrayContaining(others));
    await eventually(() => workers().length === WORKERS);
    await eventually(async () => {
      const answers = await atOnce(2 * WORKERS, () => ask(key).catch(() => undefined));
      return answers.every((answer) => answer !== undefined && outcome(answer) === '200');
    });
  });

  it('finish what they have begun when they are stopped, and lose no count', async () => {
    const other = await Service.start({
      ...service.environment,
      WORKERS: '2',
      METRICS_PORT: undefined,
    });
    const key = await alice.createApiKey(kbId);
    const asked = await atOnce(40, () =>
      new Client(other).post('/query', { api_key: key.api_key, message: 'Anything?' }, apart),
    );
    expect(outcomes(asked)).toEqual({ '200': 40 });
    expect(await other.stop()).toBe(0);

    const { body } = await alice.get<ApiKeyUsage>(`/api-keys/${key.id}/usage`);
    expect(body.requests_24h).toBe(40);
  });

  it('end well when they are stopped before the first of them listens', async () => {
    const starting = spawn(process.execPath, ['dist/bundle/main.js'], {
      env: {
        ...service.environment,
        PORT: String(await freePort()),
        WORKERS: '2',
        METRICS_PORT: undefined,
      },
      stdio: 'ignore',
    });
    const { pid } = starting;
    const children = () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    await eventually(() => children() !== '');
    starting.kill('SIGTERM');
    expect(await once(starting, 'exit')).toEqual([0, null]);
  });

  it('end with the exit code of a worker that cannot start', async () => {
    const { code, output } = await Service.refusal({
      WORKERS: '2',
      HOST: '192.0.2.1',
      DASHBOARD_AUTH_TRUST_UNSAFE: 'yes',
    });
    expect(code).toBe(1);
    expect(output).toContain('EADDRNOTAVAIL');
  });
});
