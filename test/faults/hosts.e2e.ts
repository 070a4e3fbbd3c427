import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Document, outcome } from '../support/client.js';
import { figure } from '../support/figure.js';
import { Deployment, type Host } from '../support/hosts/deployment.mjs';
import {
  ask,
  machines,
  HostsClient,
  POLICY,
  UNLIMITED,
  useHosts,
  Writer,
} from '../support/hosts/hosts-client.js';
import { revokeInUse, type Uses } from '../support/hosts/revoke-in-use.js';
import { expectNoErrors, figuresOf, type Lane, p99, Traffic } from '../support/hosts/traffic.js';
import { TEST_ENVIRONMENT } from '../support/launch.mjs';
import { repetitions } from '../support/repetitions.js';
import { eventually } from '../support/service.js';
import { STALLED_MS } from '../support/stalled.js';

const REVOCATIONS = repetitions(15, 300);
/** Enough that a host is still at it when it fails. */
const PARAGRAPHS = 4000;

machines.describe('three hosts behind nginx', () => {
  let deployment: Deployment;

  beforeAll(async () => {
    deployment = await Deployment.start({
      ...TEST_ENVIRONMENT,
      LOG_LEVEL: 'info',
      WEBHOOK_ALLOW_PRIVATE: 'yes',
      // Longer than by default, since all hosts share a machine here.
      DATABASE_ACQUIRE_TIMEOUT_MS: '5000',
      DATABASE_STATEMENT_TIMEOUT_MS: '5000',
      SEARCH_TIMEOUT_MS: '5000',
    });
    await deployment.startHosts();
  });

  afterAll(() => deployment.remove());

  it(`let nobody in after a revocation was answered by another host: ${REVOCATIONS} trials`, async () => {
    const { kb } = await useHosts(deployment, 'revoker');
    const [first, ...others] = deployment.hosts as [Host, Host, Host];
    const uses: Uses = { before: 0, after: {} };
    for (let trial = 0; trial < REVOCATIONS; trial++) {
      await revokeInUse(new HostsClient(first, 'revoker'), others, kb.id, uses);
    }
    expect(uses.after).toEqual({ '401 api_key_revoked': REVOCATIONS * 4 });
    figure(
      `Revocation across hosts: 0 of ${REVOCATIONS * 4} requests succeeded after the answer, ${uses.before} before`,
    );
  });

  it.each<[string, (host: Host) => unknown, (host: Host) => unknown]>([
    ['dies', (host) => host.kill(), (host) => host.start()],
    [
      'hangs',
      (host) => {
        host.freeze();
      },
      (host) => {
        host.thaw();
      },
    ],
    [
      'is cut off from the database',
      (host) => {
        host.cutOffFromDatabase();
      },
      (host) => {
        host.rejoinDatabase();
      },
    ],
  ])('go on when one of them %s, and finish what it had begun', async (fault, begin, end) => {
    const user = `user-${fault.replaceAll(' ', '-')}`;
    const { alice, kb, secret } = await useHosts(deployment, user);
    const writer = new Writer(alice, 'written');
    const held: ServerResponse[] = [];
    const deliveries: { id: unknown; host: Host }[] = [];
    let isHolding = true;
    const receiver = createServer((request, response) => {
      const host = deployment.hostAt(request.socket.remoteAddress);
      deliveries.push({ id: request.headers['webhook-id'], host });
      if (isHolding) held.push(response);
      else response.writeHead(204).end();
    });
    const hook = await deployment.expose(receiver);
    const webhook = await alice.createWebhook(kb.id, `${hook}/hook`, 'api_key.created');
    await alice.createApiKey(kb.id);
    await eventually(() => deliveries.length > 0);
    const victim = deliveries[0]?.host as Host;
    const others = deployment.hosts.filter((host) => host !== victim);
    const databaseSql = (statement: string) => deployment.postgres.sql('primary', statement);

    const traffic = new Traffic();
    for (const host of others) traffic.add(host.machine, ask(host, secret));
    traffic.add('questions', ask(deployment, secret));
    traffic.add('reads', () => alice.get(`/kbs/${kb.id}`));
    traffic.add('writes', writer.write);
    await traffic.more(50);
    const before = traffic.take();
    const text = Array.from({ length: PARAGRAPHS }, (_, n) => `Paragraph ${n}. ${POLICY.text}`);
    const long = await new HostsClient(victim, user).post<Document>(`/kbs/${kb.id}/documents`, {
      title: 'Long',
      text: text.join('\n\n'),
    });
    expect(outcome(long)).toBe('202');
    const aliceBeside = new HostsClient(others[0] as Host, user);
    const document = async () =>
      (await aliceBeside.get<Document>(`/documents/${long.body.id}`)).body;
    await eventually(async () => (await document()).status === 'processing');

    await begin(victim);
    const since = performance.now();
    isHolding = false;
    for (const response of held) response.writeHead(204).end();
    // As if the leases of the victim had expired, before they do by themselves.
    const begun = await databaseSql(
      `UPDATE queued_jobs SET due_at = due_at - interval '1 hour'
       WHERE queue = 'documents' AND state = 'leased' AND attempts = 1 RETURNING subject_id`,
    );
    await databaseSql(
      `UPDATE queued_jobs SET due_at = due_at - interval '1 hour'
       WHERE queue = 'webhook_deliveries'`,
    );
    // What else the balancer has sent to a host that hangs may wait for a minute.
    await traffic.more(30, ['questions', ...others.map(({ machine }) => machine)]);
    const during = others.map(({ machine }) => p99(traffic.lane(machine).latencies));
    await eventually(async () => (await document()).status === 'ready');
    const delivery = async () => (await aliceBeside.deliveries(webhook.id))[0];
    await eventually(async () => (await delivery())?.state === 'delivered');
    const takenOver = performance.now() - since;
    await end(victim);
    await victim.untilReady();
    await traffic.more(5);
    await traffic.stop();

    expect(new Set(deliveries.map(({ id }) => id)).size).toBe(1);
    expect(deliveries.at(-1)?.host).not.toBe(victim);
    // It may have been done just before.
    expect((await document()).attempts).toBe(begun.length > 0 ? 2 : 1);
    others.forEach(({ machine }, index) => {
      expect(Object.keys(traffic.lane(machine).outcomes)).toEqual(['200']);
      expect(during[index]).toBeLessThan(STALLED_MS);
      const normal = p99(before.get(machine)?.latencies ?? []);
      figure(`A host ${fault}: p99 of ${machine} ${during[index]} ms, before ${normal} ms`);
    });
    await writer.expectAllThere();
    const figures: string[] = [];
    for (const [name, success] of [
      ['questions', '200'],
      ['reads', '200'],
      ['writes', '201'],
    ] as const) {
      expectNoErrors(before.get(name) as Lane, success);
      expectNoErrors(traffic.lane(name), success);
      figures.push(figuresOf(name, traffic.lane(name)));
    }
    figure(`A host ${fault}: ${figures.join('; ')}`);
    figure(`A host ${fault}: what it had begun was done ${Math.round(takenOver)} ms later`);
  });

  it('acknowledge no write that the synchronous standby has not confirmed', async () => {
    const { alice, secret } = await useHosts(deployment, 'waiting');
    const { network } = deployment;
    // The first use of a key is written.
    expect(outcome(await ask(deployment, secret)())).toBe('200');
    network.block('primary', 'standby');
    try {
      expect(outcome(await alice.post('/kbs', { name: 'Unconfirmed' }))).toBe(
        '503 database_unavailable',
      );
      expect(outcome(await ask(deployment, secret)())).toBe('200');
    } finally {
      network.unblock('primary', 'standby');
    }
    // Each host finds out by itself that commits no longer wait.
    for (const host of deployment.hosts) {
      const client = new HostsClient(host, 'waiting');
      await eventually(
        async () => (await client.post('/kbs', { name: 'Confirmed' })).status === 201,
      );
    }
  });

  it('lose no acknowledged write when the database fails over, and reconnect by themselves', async () => {
    const { alice, kb, keyId, secret } = await useHosts(deployment, 'survivor');
    const { api_key: kept } = await alice.createApiKey(kb.id, UNLIMITED);
    const writers = [1, 2, 3, 4].map((n) => new Writer(alice, `lane-${n}`));
    const traffic = new Traffic();
    writers.forEach((writer, n) => {
      traffic.add(`writes ${n}`, writer.write);
    });
    traffic.add('questions', ask(deployment, kept));
    await traffic.more(20);
    expect(outcome(await alice.call('PATCH', `/api-keys/${keyId}/revoke`))).toBe('200');

    deployment.network.powerOff('primary');
    await eventually(() =>
      [...traffic.lanes.values()].every(({ outcomes }) =>
        Object.keys(outcomes).some((result) => result.startsWith('503')),
      ),
    );
    const away = traffic.take();
    await deployment.postgres.promote('standby');
    const since = performance.now();
    await eventually(() =>
      ['writes 0', 'questions'].every((name) =>
        Object.keys(traffic.lane(name).outcomes).some((result) => result.startsWith('2')),
      ),
    );
    const back = performance.now() - since;
    for (const host of deployment.hosts) {
      await host.untilReady();
      expect(outcome(await ask(host, secret)())).toBe('401 api_key_revoked');
    }
    expect(performance.now() - since).toBeLessThan(STALLED_MS);
    await traffic.more(20);
    await traffic.stop();

    for (const lanes of [away, traffic.lanes]) {
      for (const [name, lane] of lanes) expectNoErrors(lane, name === 'questions' ? '200' : '201');
    }
    for (const writer of writers) await writer.expectAllThere();
    const count = writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
    figure(
      `The database failed over: 0 of ${count} acknowledged writes lost, served ${Math.round(back)} ms after the standby had the address`,
    );
  });

  it('are replaced one by one, with traffic on', async () => {
    const { alice, secret } = await useHosts(deployment, 'upgrader');
    const writer = new Writer(alice, 'written');
    const traffic = new Traffic();
    traffic.add('questions', ask(deployment, secret));
    traffic.add('writes', writer.write);
    await traffic.more(20);
    for (const host of deployment.hosts) {
      expect(await host.stop()).toBe(0);
      await traffic.more(5);
      await host.start();
      await traffic.more(20);
    }
    await traffic.stop();
    expectNoErrors(traffic.lane('questions'), '200');
    expectNoErrors(traffic.lane('writes'), '201');
    await writer.expectAllThere();
    const figures = [...traffic.lanes].map(([name, lane]) => figuresOf(name, lane));
    figure(`A rolling replacement: ${figures.join('; ')}`);
  });
});
