import { createHash, randomBytes } from 'node:crypto';

const REDIRECT = 'http://127.0.0.1:1/callback';

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope: string;
}

/** What an endpoint of the authorization server answers. */
export interface OAuthAnswer<T = Tokens> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T & { readonly error?: string; readonly error_description?: string };
}

/** Somebody's browser and the client that they connect with it, as the protocol has them. */
export class Connecting {
  readonly verifier = randomBytes(32).toString('base64url');
  /** By origin and name. */
  private readonly cookies = new Map<string, string>();
  /** Headers of each request, as a gateway adds them. */
  headers: Record<string, string> = {};

  constructor(
    private readonly url: string,
    readonly clientId: string,
    readonly redirectUri = REDIRECT,
  ) {}

  static async register(
    url: string,
    metadata: object = {},
    headers: Record<string, string> = {},
  ): Promise<Connecting> {
    const client = { client_name: 'Agent', redirect_uris: [REDIRECT], ...metadata };
    const { body } = await register(url, client, headers);
    return new Connecting(url, body.client_id, client.redirect_uris[0]);
  }

  /** The address to which the client sends the browser. `undefined` leaves a parameter out. */
  authorizeUrl(more: Record<string, string | undefined> = {}): URL {
    const url = new URL(`${this.url}/oauth/authorize`);
    const challenge = createHash('sha256').update(this.verifier).digest('base64url');
    const parameters: Record<string, string | undefined> = {
      ...{ client_id: this.clientId, response_type: 'code', redirect_uri: this.redirectUri },
      ...{ code_challenge: challenge, code_challenge_method: 'S256', state: 'the-state' },
      ...{ resource: `${this.url}/mcp`, scope: 'query chat' },
      ...more,
    };
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    return url;
  }

  /** Follows redirects to the page, or to the client, whose address is not called. */
  async open(more: Record<string, string | undefined> = {}): Promise<Response> {
    return this.follow(await this.send(this.authorizeUrl(more)));
  }

  /** Sends the form of a page, and follows redirects as far as the client. */
  async submit(
    page: Response,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return this.follow(await this.send(new URL(page.url), new URLSearchParams(fields), headers));
  }

  /** Signs in at an identity provider whose pages have forms, and comes back to the page. */
  async signIn(page: Response, person: string): Promise<Response> {
    let response = await this.submit(page, { decision: 'sign-in' });
    for (let step = 0; step < 20; step++) {
      const location = response.headers.get('location');
      if (location !== null) {
        response = await this.send(new URL(location, response.url));
        continue;
      }
      if (response.url.startsWith(this.url)) return response;
      const html = await response.text();
      const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(html) ?? [];
      const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(html) ?? [];
      const fields = new URLSearchParams({ prompt, login: person, password: 'any' });
      response = await this.send(new URL(action, response.url), fields);
    }
    throw new Error('The provider did not send the person back');
  }

  /** Pastes a key; returns the code that the client gets. */
  async connect(apiKey: string, more: Record<string, string | undefined> = {}): Promise<string> {
    const response = await this.submit(await this.open(more), {
      api_key: apiKey,
      decision: 'connect',
    });
    const code = sentBack(response)?.get('code');
    if (!code) throw new Error(`Not connected: ${response.status} ${await response.text()}`);
    return code;
  }

  redeem(code: string, more: Record<string, string> = {}): Promise<OAuthAnswer> {
    return this.token({
      ...{ grant_type: 'authorization_code', code, redirect_uri: this.redirectUri },
      ...{ code_verifier: this.verifier },
      ...more,
    });
  }

  refresh(refreshToken: string, more: Record<string, string> = {}): Promise<OAuthAnswer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...more });
  }

  token(fields: Record<string, string>): Promise<OAuthAnswer> {
    return this.post('token', { client_id: this.clientId, ...fields });
  }

  revoke(token: string): Promise<OAuthAnswer> {
    return this.post('revoke', { client_id: this.clientId, token });
  }

  /** From nothing to tokens. */
  async tokens(apiKey: string, more: Record<string, string | undefined> = {}): Promise<Tokens> {
    const { body } = await this.redeem(await this.connect(apiKey, more));
    return body;
  }

  private async post(endpoint: string, fields: Record<string, string>): Promise<OAuthAnswer> {
    const response = await fetch(`${this.url}/oauth/${endpoint}`, {
      method: 'POST',
      headers: this.headers,
      body: new URLSearchParams(fields),
    });
    return toAnswer(response);
  }

  private async follow(response: Response): Promise<Response> {
    const location = response.headers.get('location');
    if (location === null) return response;
    const isOwn = location.startsWith(this.url) || location.startsWith('/');
    if (!isOwn) return response;
    return this.follow(await this.send(new URL(location, response.url)));
  }

  private async send(
    url: URL,
    form?: URLSearchParams,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const own = `${url.origin} `;
    const cookie = [...this.cookies]
      .filter(([name]) => name.startsWith(own))
      .map(([name, value]) => `${name.slice(own.length)}=${value}`)
      .join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie, ...this.headers, ...headers },
      ...(form && { method: 'POST', body: form }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') this.cookies.delete(own + name);
      else this.cookies.set(own + name, value);
    }
    return response;
  }
}

/** What the client is sent in its redirect; undefined for another answer. */
export const sentBack = (response: Response): URLSearchParams | undefined => {
  const location = response.headers.get('location');
  return location === null ? undefined : new URL(location).searchParams;
};

export async function register(
  url: string,
  metadata: object,
  more: Record<string, string> = {},
): Promise<OAuthAnswer<{ client_id: string; [field: string]: unknown }>> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...more },
    body: JSON.stringify(metadata),
  });
  return toAnswer(response);
}

async function toAnswer<T>(response: Response): Promise<OAuthAnswer<T>> {
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, body: JSON.parse(text || '{}') as OAuthAnswer<T>['body'] };
}

/** Calls a tool at `/mcp`: the status, and what the tool returned. */
export async function callTool(
  url: string,
  token: string,
  name = 'search',
  args: object = { query: 'returns' },
): Promise<{ status: number; code?: string | undefined; text: string }> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: args },
    }),
  });
  const text = await response.text();
  const problem = response.ok ? {} : (JSON.parse(text) as { code?: string });
  return { status: response.status, code: problem.code, text };
}
