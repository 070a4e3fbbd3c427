import type { OAuthClientProvider } from '@modelcontextprotocol/client';

const REDIRECT = 'http://127.0.0.1:1/callback';

/** What an MCP client keeps of its sign-in; the person signs in at the provider's pages, by forms. */
export class AgentSignIn implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = {
    client_name: 'Agent of the tests',
    redirect_uris: [REDIRECT],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  /** With what the provider has sent the person back. */
  answered = new URLSearchParams();
  /** Where the person was sent. */
  asked: URL | undefined;
  private client: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
  private stored: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
  private discovered: Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>;
  private verifier = '';
  private readonly cookies = new Map<string, string>();

  constructor(private readonly person: string) {}

  clientInformation() {
    return this.client;
  }
  saveClientInformation(client: NonNullable<AgentSignIn['client']>): void {
    this.client = client;
  }
  tokens() {
    return this.stored;
  }
  saveTokens(tokens: NonNullable<AgentSignIn['stored']>): void {
    this.stored = tokens;
  }
  discoveryState() {
    return this.discovered;
  }
  saveDiscoveryState(state: NonNullable<AgentSignIn['discovered']>): void {
    this.discovered = state;
  }
  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }
  codeVerifier(): string {
    return this.verifier;
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    this.asked = url;
    let response = await this.send(url);
    for (let step = 0; step < 20; step++) {
      const location = response.headers.get('location');
      if (location !== null) {
        const next = new URL(location, response.url);
        if (next.href.startsWith(REDIRECT)) {
          this.answered = next.searchParams;
          return;
        }
        response = await this.send(next);
        continue;
      }
      const page = await response.text();
      const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
      const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
      const fields = { prompt, login: this.person, password: 'any' };
      response = await this.send(new URL(action, response.url), new URLSearchParams(fields));
    }
    throw new Error('The provider did not send the person back');
  }

  private async send(url: URL, form?: URLSearchParams): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}
