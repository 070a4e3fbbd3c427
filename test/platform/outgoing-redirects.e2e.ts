import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, outcome } from '../support/client.js';
import { newSigningKey, KeyServer } from '../support/key-server.js';
import { eventually, Service } from '../support/service.js';

const QUESTION = 'How long may customers return an order?';
const TEXT = 'Customers may return any order within 30 days of delivery.';

/** Answers every request as `respond` says, and remembers their paths. */
class RedirectServer {
  readonly paths: string[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param location where it sends everybody; without one it is a target, which nobody may call */
  static async start(status: number, location?: string): Promise<RedirectServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const redirecting = new RedirectServer(server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => {
      redirecting.paths.push(String(request.url));
      request.resume();
      response.writeHead(status, {
        ...(location !== undefined && { location: location + String(request.url) }),
        'content-type': 'application/json',
      });
      response.end('{}');
    });
    return redirecting;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

describe('redirects', () => {
  let target: RedirectServer;
  let service: Service;

  beforeAll(async () => {
    target = await RedirectServer.start(200);
  });

  afterEach(() => service.stop());

  afterAll(() => target.stop());

  // Every status: client.spec.ts.
  it('are not followed from a model, embeddings or a reranker', async () => {
    const provider = await RedirectServer.start(307, target.url);
    service = await Service.start({
      ...{
        LLM_BASE_URL: `${provider.url}/v1`,
        LLM_MODEL: 'm',
        LLM_API_KEY: 'sk-of-the-provider',
      },
      ...{ EMBEDDINGS_BASE_URL: `${provider.url}/v1`, EMBEDDINGS_MODEL: 'e' },
      // A busy machine must not make it give up before it is redirected.
      ...{ RERANK_BASE_URL: `${provider.url}/v1`, RERANK_TIMEOUT_MS: '60000' },
    });
    const alice = new Client(service, 'alice');
    const { id } = await alice.createKnowledgeBase();
    const { api_key } = await alice.createApiKey(id);
    expect(await alice.addDocument(id, { title: 'Returns', text: TEXT })).toMatchObject({
      status: 'ready',
    });
    await alice.addDocument(id, {
      title: 'Exceptions',
      text: 'No order of food may be returned.',
    });
    expect(outcome(await new Client(service).chat(api_key, QUESTION))).toBe(
      '502 model_unavailable',
    );
    await eventually(() => provider.paths.includes('/v1/embeddings'));
    expect(provider.paths).toContain('/v1/chat/completions');
    expect(provider.paths).toContain('/v1/rerank');
    expect((await new Client(service).query(api_key, QUESTION)).body.results).toHaveLength(2);
    expect(target.paths).toEqual([]);
    for (const context of ['OpenAiGenerator', 'EndpointEmbeddings', 'Reranker']) {
      await eventually(() => new RegExp(`"context":"${context}".*\\b307\\b`).test(service.logs));
    }
    await provider.stop();
  });

  it('are not followed from an identity provider, neither to its discovery nor to its keys', async () => {
    const key = await newSigningKey('k1');
    const keys = await KeyServer.start(key);
    const provider = await RedirectServer.start(302, keys.issuer);
    for (const [environment, issuer] of [
      [{ OIDC_ISSUER: provider.url }, provider.url],
      [{ OIDC_ISSUER: keys.issuer, OIDC_JWKS_URL: `${provider.url}/keys` }, keys.issuer],
    ] as const) {
      service = await Service.start({
        ...{ DASHBOARD_AUTH_MODE: 'oidc', OIDC_AUDIENCE: 'latchkey' },
        ...environment,
      });
      const authorization = `Bearer ${await keys.token(key, { iss: issuer })}`;
      const answer = await new Client(service, 'alice').call('GET', '/kbs', undefined, {
        authorization,
      });
      expect(outcome(answer)).toBe('503 identity_provider_unavailable');
      await service.stop();
    }
    expect(provider.paths).toEqual(['/.well-known/openid-configuration', '/keys']);
    expect(keys.reads).toBe(0);
    await Promise.all([provider.stop(), keys.stop()]);
  });
});
