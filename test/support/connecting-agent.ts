import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import type { SharedService } from './shared-service.js';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
}

/** An agent on this computer that asks a person to connect it, as Claude Code or Cursor does. */
export class ConnectingAgent {
  private readonly verifier = randomBytes(32).toString('base64url');
  private readonly answers = Promise.withResolvers<URLSearchParams>();

  private constructor(
    private readonly service: Pick<SharedService, 'url'>,
    private readonly server: Server,
    private readonly clientId: string,
    private readonly redirectUri: string,
  ) {
    server.on('request', ({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, redirectUri);
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Agent</title><p>You can close this window.</p>');
      if (pathname === '/callback') this.answers.resolve(searchParams);
    });
  }

  static async start(service: Pick<SharedService, 'url'>, name: string): Promise<ConnectingAgent> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
    const response = await fetch(`${service.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri] }),
    });
    const { client_id: clientId } = (await response.json()) as { client_id: string };
    return new ConnectingAgent(service, server, clientId, redirectUri);
  }

  /** The address that the agent opens in the browser. */
  get address(): string {
    const challenge = createHash('sha256').update(this.verifier).digest('base64url');
    const parameters = new URLSearchParams({
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      resource: `${this.service.url}/mcp`,
      state: 'of-the-agent',
    });
    return `${this.service.url}/oauth/authorize?${parameters.toString()}`;
  }

  /** The parameters with which the browser is sent back to the agent. */
  get answered(): Promise<URLSearchParams> {
    return this.answers.promise;
  }

  /** Redeems the code with which the browser was sent back. */
  async redeem(): Promise<Tokens> {
    const response = await fetch(`${this.service.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: this.clientId,
        redirect_uri: this.redirectUri,
        code: (await this.answered).get('code') ?? '',
        code_verifier: this.verifier,
        resource: `${this.service.url}/mcp`,
      }),
    });
    if (response.status !== 200) throw new Error(await response.text());
    return (await response.json()) as Tokens;
  }

  /** Lists the tools of `/mcp` with an access token. */
  async listTools(accessToken: string): Promise<Response> {
    return fetch(`${this.service.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${accessToken}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
  }

  /** Connects the agent with a key, in a page that was opened for it. */
  async connect(page: Page, apiKey: string): Promise<Tokens> {
    await page.goto(this.address);
    await page.getByLabel('API key').fill(apiKey);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    return this.redeem();
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
