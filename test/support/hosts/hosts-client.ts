import { expect } from '@jest/globals';
import { type Answer, Client, inTurns, type KnowledgeBase, outcome } from '../client.js';
import { hasNginx } from '../nginx.js';
import { hasRedis } from '../redis.js';
import { eventually } from '../service.js';
import { optionalTool, tool } from '../requirement.js';
import { type Deployment, GATEWAY_SECRET } from './deployment.mjs';
import { hasNamespaces } from './network.mjs';

export const QUESTION = 'When may orders be returned?';
export const POLICY = { title: 'Returns', text: 'Orders may be returned within 30 days.' };

/** Whether what a deployment needs is there. */
export const machines = tool('nginx', hasNginx)
  .and(tool('redis-server', hasRedis))
  // Only root has it, and not in every container.
  .and(optionalTool('ip, with the right to namespaces,', hasNamespaces));

/** A client of the load balancer, which signs users in, or of one host behind it. */
export class HostsClient extends Client {
  constructor(
    target: { url: string },
    private readonly user?: string,
  ) {
    super(target, user);
  }

  override call<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const credentials = { cookie: `session=${this.user}`, 'x-gateway-secret': GATEWAY_SECRET };
    return super.call(method, path, body, {
      ...(this.user !== undefined && credentials),
      ...headers,
    });
  }
}

/** A key that clients may use without a pause. */
export const UNLIMITED = { rate_limit_per_minute: 1_000_000 };

/** A user with a knowledge base with a document, and a key for it. */
export async function useHosts(deployment: Deployment, user: string) {
  const alice = new HostsClient(deployment, user);
  const kb = await alice.createKnowledgeBase();
  await alice.addDocument(kb.id, POLICY);
  const { id: keyId, api_key: secret } = await alice.createApiKey(kb.id, UNLIMITED);
  return { alice, kb, keyId, secret };
}

export const ask = (target: { url: string }, secret: string) => () =>
  new HostsClient(target).query(secret, QUESTION);

/** Creates knowledge bases, and repeats what was refused, as a client does who must not lose any. */
export class Writer {
  readonly acknowledged: string[] = [];

  constructor(
    private readonly alice: Client,
    private readonly name: string,
  ) {}

  readonly write = async (): Promise<Answer<unknown>> => {
    const name = `${this.name}-${this.acknowledged.length}`;
    const answer = await this.alice.post<KnowledgeBase>(
      '/kbs',
      { name },
      { 'idempotency-key': name },
    );
    if (answer.status === 201) this.acknowledged.push(answer.body.id);
    return answer;
  };

  /** What was acknowledged is there, each once. */
  async expectAllThere(): Promise<void> {
    await inTurns(this.acknowledged.length, 8, async (index) => {
      const path = `/kbs/${this.acknowledged[index]}`;
      let result = '';
      // The load balancer may still take all hosts for dead, since each has just been started.
      await eventually(async () => {
        result = outcome(await this.alice.get(path));
        return !result.startsWith('503');
      });
      expect([path, result]).toEqual([path, '200']);
    });
    expect(new Set(this.acknowledged).size).toBe(this.acknowledged.length);
  }
}
