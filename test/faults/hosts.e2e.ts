import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, type Document, type KnowledgeBase, outcome } from '../support/client.js';
import { figure } from '../support/figure.js';
import { Deployment, type Host } from '../support/hosts/deployment.mjs';
import { hasNamespaces } from '../support/hosts/network.mjs';
import { HostsClient, type Lane, p99, Traffic } from '../support/hosts/traffic.js';
import { TEST_ENVIRONMENT } from '../support/launch.mjs';
import { hasNginx } from '../support/nginx.js';
import { previousRelease } from '../support/previous-release.mjs';
import { hasRedis } from '../support/redis.js';
import { repetitions } from '../support/repetitions.js';
import { eventually } from '../support/service.js';
import { STALLED_MS } from '../support/stalled.js';
import { hasOptionalTool, hasTool } from '../support/tool.js';

const REVOCATIONS = repetitions(15, 300);
const QUESTION = 'When may orders be returned?';
const POLICY = { title: 'Returns', text: 'Orders may be returned within 30 days.' };
const WEBHOOK_PORT = 5000;
/** Enough that a host is still at it when it fails. */
const PARAGRAPHS = 4000;

const possible = [
  hasTool('nginx', hasNginx, 'a deployment of several hosts is'),
  hasTool('redis-server', hasRedis, 'a deployment of several hosts is'),
  // Containers and users other than root may have none.
  hasOptionalTool('ip, with the right to network namespaces,', hasNamespaces, 'several hosts are'),
].every(Boolean);

(possible ? describe : describe.skip)('three hosts behind nginx', () => {
  let deployment: Deployment;

  beforeAll(async () => {
    deployment = await Deployment.start({
      ...TEST_ENVIRONMENT,
      LOG_LEVEL: 'info',
      WEBHOOK_ALLOW_PRIVATE: 'yes',
      // Longer than by default, since all hosts share a machine here.
      DATABASE_ACQUIRE_TIMEOUT_MS: '3000',
      DATABASE_STATEMENT_TIMEOUT_MS: '3000',
    });
    await startAll();
  });

  afterAll(() => deployment.remove());

  const startAll = async (release?: string, more?: NodeJS.ProcessEnv) => {
    const [first, ...others] = deployment.hosts;
    // It migrates.
    await first?.start(release, more);
    await Promise.all(others.map((host) => host.start(release, more)));
  };

  /** A knowledge base with a document, and a key for it. */
  async function setUp(user: string) {
    const alice = new HostsClient(deployment, user);
    const kb = await alice.createKnowledgeBase();
    await alice.addDocument(kb.id, POLICY);
    const { api_key: secret } = await alice.createApiKey(kb.id);
    return { alice, kb, secret };
  }

  const ask = (target: { url: string }, secret: string) => () =>
    new HostsClient(target).query(secret, QUESTION);

  /** Creates knowledge bases, and repeats what was refused, as a client does who must not lose any. */
  function writer(alice: HostsClient, acknowledged: string[]) {
    let n = 0;
    return async () => {
      const name = `Written ${n}`;
      const answer = await alice.post<KnowledgeBase>('/kbs', { name }, { 'idempotency-key': name });
      if (answer.status === 201) {
        acknowledged.push(answer.body.id);
        n++;
      }
      return answer;
    };
  }

  async function expectWritten(alice: HostsClient, acknowledged: string[]) {
    const found = await Promise.all(acknowledged.map((id) => alice.get(`/kbs/${id}`)));
    expect(found.map(outcome).filter((result) => result !== '200')).toEqual([]);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
  }

  /** Whoever comes by the load balancer gets answers, or is told when to come again. */
  function expectNoErrors(lanes: Iterable<Lane>, success: string) {
    for (const { outcomes, withoutRetryAfter } of lanes) {
      const others = Object.keys(outcomes).filter((result) => result !== success);
      expect(others.filter((result) => !/^503 (database|host)_unavailable$/.test(result))).toEqual(
        [],
      );
      expect(withoutRetryAfter).toBe(0);
    }
  }

  it(`let nobody in after a revocation was answered by another host: ${REVOCATIONS} trials`, async () => {
    const { alice, kb } = await setUp('revoker');
    const [first, ...others] = deployment.hosts as [Host, Host, Host];
    const onFirst = new HostsClient(first, 'revoker');
    let before = 0;
    const after: Record<string, number> = {};
    for (let trial = 0; trial < REVOCATIONS; trial++) {
      const { id, api_key: secret } = await alice.createApiKey(kb.id);
      let isAnswered = false;
      const use = async (host: Host) => {
        for (;;) {
          const isAfter = isAnswered;
          const result = outcome(await ask(host, secret)());
          if (isAfter) {
            after[result] = (after[result] ?? 0) + 1;
            return;
          }
          if (result === '200') before++;
        }
      };
      const uses = [...others, ...others].map(use);
      const aim = before + 2 * uses.length;
      await eventually(() => before >= aim);
      const answer = await onFirst.call('PATCH', `/api-keys/${id}/revoke`);
      isAnswered = true;
      expect(outcome(answer)).toBe('200');
      await Promise.all(uses);
      await alice.call('DELETE', `/api-keys/${id}`);
    }
    expect(after).toEqual({ '401 api_key_revoked': REVOCATIONS * 4 });
    figure(
      `Revocation across hosts: 0 of ${REVOCATIONS * 4} requests succeeded after the answer, ${before} before`,
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
    const { alice, kb, secret } = await setUp(`user-${fault.replaceAll(' ', '-')}`);
    const held: ServerResponse[] = [];
    const deliveries: { id: unknown; host: Host }[] = [];
    let isHolding = true;
    const receiver = createServer((request, response) => {
      const host = deployment.hostAt(request.socket.remoteAddress);
      deliveries.push({ id: request.headers['webhook-id'], host });
      if (isHolding) held.push(response);
      else response.writeHead(204).end();
    });
    const hook = await deployment.expose(receiver, WEBHOOK_PORT);
    const webhook = await alice.createWebhook(kb.id, `${hook}/hook`, 'api_key.created');
    await alice.createApiKey(kb.id);
    await eventually(() => deliveries.length > 0);
    const victim = deliveries[0]?.host as Host;
    const others = deployment.hosts.filter((host) => host !== victim);
    const databaseSql = (statement: string) => deployment.postgres.sql('primary', statement);

    const traffic = new Traffic();
    const acknowledged: string[] = [];
    for (const host of others) traffic.add(host.machine, ask(host, secret));
    traffic.add('questions', ask(deployment, secret));
    traffic.add('reads', () => alice.get(`/kbs/${kb.id}`));
    traffic.add('writes', writer(alice, acknowledged));
    await traffic.more(50);
    const before = traffic.take();
    const text = Array.from({ length: PARAGRAPHS }, (_, n) => `Paragraph ${n}. ${POLICY.text}`);
    const long = await new HostsClient(victim, `user-${fault.replaceAll(' ', '-')}`).post<Document>(
      `/kbs/${kb.id}/documents`,
      { title: 'Long', text: text.join('\n\n') },
    );
    expect(outcome(long)).toBe('202');
    const document = async () => (await alice.get<Document>(`/documents/${long.body.id}`)).body;
    await eventually(async () => (await document()).status === 'processing');

    await begin(victim);
    const since = performance.now();
    isHolding = false;
    for (const response of held) response.writeHead(204).end();
    await traffic.more(30, ['questions', 'reads', 'writes', ...others.map((it) => it.machine)]);
    const during = traffic.take();
    // As if the leases of the victim had expired.
    await databaseSql(
      `UPDATE documents SET lease_until = lease_until - interval '1 hour' WHERE status = 'processing'`,
    );
    await databaseSql(
      `UPDATE webhook_deliveries SET due_at = due_at - interval '1 hour' WHERE due_at IS NOT NULL`,
    );
    await eventually(async () => (await document()).status === 'ready');
    await eventually(async () => (await alice.deliveries(webhook.id))[0]?.state === 'delivered');
    const takenOver = performance.now() - since;
    await end(victim);
    await victim.untilReady();
    await traffic.stop();
    receiver.close();

    expect(new Set(deliveries.map(({ id }) => id)).size).toBe(1);
    expect(deliveries.at(-1)?.host).not.toBe(victim);
    expect((await document()).attempts).toBe(2);
    for (const host of others) {
      expect(Object.keys(during.get(host.machine)?.outcomes ?? {})).toEqual(['200']);
      const [normal = 0, then = 0] = [before, during].map((lanes) =>
        p99(lanes.get(host.machine)?.latencies ?? []),
      );
      expect(then).toBeLessThan(STALLED_MS);
      figure(`A host ${fault}: p99 of ${host.machine} ${then} ms, before ${normal} ms`);
    }
    for (const lanes of [before, during, traffic.lanes]) {
      expectNoErrors(['questions', 'reads'].map((name) => lanes.get(name) as Lane), '200');
      expectNoErrors([lanes.get('writes') as Lane], '201');
    }
    await expectWritten(alice, acknowledged);
    const told = ['questions', 'reads', 'writes'].map((name) => {
      const { outcomes, latencies } = during.get(name) as Lane;
      return `${name} ${JSON.stringify(outcomes)}, at most ${Math.round(Math.max(...latencies))} ms`;
    });
    figure(`A host ${fault}: ${told.join('; ')}`);
    figure(`A host ${fault}: what it had begun was done ${Math.round(takenOver)} ms later`);
  });
});
