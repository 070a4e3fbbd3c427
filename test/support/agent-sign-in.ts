import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { type FillIn, FormBrowser } from './form-browser.mjs';

const REDIRECT = 'http://127.0.0.1:1/callback';

/** Fills in the pages of SignInProvider. */
export const asPerson =
  (person: string): FillIn =>
  (page) => {
    const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
    return { prompt, login: person, password: 'any' };
  };

/** What an MCP client keeps of its sign-in; its person fills in the forms of the pages. */
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

  constructor(private readonly fillIn: FillIn) {}

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
  invalidateCredentials(which: string): void {
    if (which === 'all' || which === 'tokens') this.stored = undefined;
    if (which === 'all' || which === 'client') this.client = undefined;
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
    const end = await new FormBrowser(this.fillIn).walk(url, REDIRECT);
    this.answered = end.searchParams;
  }
}
