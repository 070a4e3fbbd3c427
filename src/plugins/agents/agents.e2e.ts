import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  Client as McpClient,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { AgentSignIn } from '../../../test/support/agent-sign-in.js';
import { type Client, type IssuedApiKey, outcome } from '../../../test/support/client.js';
import { withApiKey } from '../../../test/support/form-browser.mjs';
import { furnish } from '../../../test/support/furnish.js';

const QUESTION = 'How long may customers return an order?';

/** An agent that is given an address alone, and then an API key by its person. */
class Agent {
  readonly signIn: AgentSignIn;

  constructor(
    readonly url: string,
    apiKey: string,
  ) {
    this.signIn = new AgentSignIn(withApiKey(apiKey));
  }

  /** @throws UnauthorizedError where its person was asked, whose answer `connect` then takes */
  async ask(): Promise<unknown> {
    const client = new McpClient({ name: 'test', version: '1' });
    await client.connect(this.transport());
    const asked = await client.callTool({ name: 'ask', arguments: { question: QUESTION } });
    await client.close();
    return asked.structuredContent;
  }

  async connect(): Promise<void> {
    await expect(this.ask()).rejects.toThrow(UnauthorizedError);
    await this.transport().finishAuth(this.signIn.answered);
  }

  /** What it has to send: an access token and one by which it gets the next. */
  get tokens() {
    const tokens = this.signIn.tokens();
    if (!tokens) throw new Error('The agent is not connected');
    return tokens;
  }

  private transport = () =>
    new StreamableHTTPClientTransport(new URL(`${this.url}/mcp`), { authProvider: this.signIn });
}

interface Connection {
  readonly id: string;
  readonly client_name: string;
}

describe('an agent that is given the address alone', () => {
  let url: string;
  let alice: Client;
  let key: IssuedApiKey;

  beforeAll(async () => {
    let kbId: string;
    ({
      alice,
      kbId,
      service: { url },
    } = await furnish());
    await alice.addDocument(kbId, {
      title: 'Returns',
      text: 'Customers may return an order within 30 days.',
    });
    key = await alice.createApiKey(kbId);
  });

  const connected = async () => {
    const agent = new Agent(url, key.api_key);
    await agent.connect();
    return agent;
  };
  const answer = expect.objectContaining({ answered: true });
  const listConnections = async () =>
    (await alice.get<{ data: Connection[] }>(`/api-keys/${key.id}/connections`)).body.data;

  it('finds out how it is connected, asks its person for a key, and gets answers', async () => {
    const agent = await connected();
    const { searchParams } = agent.signIn.asked ?? new URL('about:blank');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      resource: `${url}/mcp`,
      scope: 'query chat feedback',
    });
    expect(await agent.ask()).toEqual(answer);
    expect(JSON.stringify(agent.signIn)).not.toContain(key.api_key);
  });

  it('goes on without its person when its token has expired', async () => {
    const agent = await connected();
    const { signIn, tokens: first } = agent;
    signIn.asked = undefined;
    signIn.saveTokens({ ...first, access_token: `rag_agent_${'A'.repeat(43)}` });
    expect(await agent.ask()).toEqual(answer);
    expect(agent.tokens.refresh_token).not.toBe(first.refresh_token);
    expect(signIn.asked).toBeUndefined();
  });

  it('asks its person again once it is disconnected', async () => {
    const others = (await listConnections()).map(({ id }) => id);
    const agent = await connected();
    const [own] = (await listConnections()).filter(({ id }) => !others.includes(id));
    expect(own?.client_name).toBe('Agent of the tests');
    const ended = await alice.call('DELETE', `/connections/${own?.id ?? ''}`);
    expect(outcome(ended)).toBe('200');
    await agent.connect();
    expect(await agent.ask()).toEqual(answer);
  });
});
