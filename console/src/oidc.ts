import * as oauth from 'oauth4webapi';
import type { Session, ConsoleConfig } from './session-types.js';
import {
  isSignedInUrl,
  returnToPage,
  getSignedInUrl,
  signInInFrame,
  signInInWindow,
} from './sign-in-window.js';

/** State that is stored during the redirect to the identity provider and back; tokens are never stored. */
interface PendingSignIn {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly returnTo: string;
  /** Whether it began without a click: the provider must show nothing, and fails if it needs the user. */
  readonly isSilent: boolean;
}

const PENDING = 'latchkey-sign-in';
/** Set while the user probably has a session at the provider: sign-in then needs no click. */
const KNOWN = 'latchkey-signed-in';
/** A token is renewed when it has less time left than this, or than half its life. */
const RENEW_BEFORE_MS = 60_000;

/** Signs in with the authorization-code flow and PKCE; tokens are kept in memory only. */
class CodeFlowSession implements Session {
  readonly mode = 'oidc';
  private token: string | undefined;
  private refreshToken: string | undefined;
  private renewAt = 0;
  private renewing: Promise<void> | undefined;
  user: string | undefined;

  constructor(
    private readonly server: oauth.AuthorizationServer,
    private readonly client: oauth.Client,
    private readonly config: ConsoleConfig,
  ) {}

  get isSignedIn() {
    return this.token !== undefined;
  }

  async headers(): Promise<Record<string, string>> {
    if (this.isSignedIn && (this.renewing !== undefined || Date.now() > this.renewAt)) {
      // A token that cannot be renewed is used to its end; the service then says so.
      this.renewing ??= (this.refreshToken === undefined ? this.renewInFrame() : this.renew())
        .catch((error: unknown) => {
          // The provider no longer accepts it, so further attempts would only cost time.
          if (error instanceof oauth.ResponseBodyError) this.refreshToken = undefined;
        })
        .finally(() => (this.renewing = undefined));
      await this.renewing;
    }
    return {
      'x-idp-user-id': this.user ?? '',
      ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
    };
  }

  /** Signs in in a separate window if the page has input to lose, else by a redirect. */
  async signIn(_user: string | undefined, signal: AbortSignal): Promise<void> {
    const authorization = this.authorization({ isSilent: false });
    if (this.isSignedIn) {
      let state: string | undefined;
      const address = authorization.then(({ url, pending }) => {
        ({ state } = pending);
        return url;
      });
      const back = await signInInWindow(
        address,
        signal,
        ({ searchParams }) => searchParams.get('state') === state,
      );
      await this.redeem(back, (await authorization).pending);
      localStorage.setItem(KNOWN, 'yes');
      return;
    }
    const { url, pending } = await authorization;
    sessionStorage.setItem(PENDING, JSON.stringify(pending));
    location.assign(url);
    return leaving();
  }

  /** Redirects to the provider, which redirects back, with an error if it needs the user. */
  async signInSilently(): Promise<void> {
    // If the provider never redirects back, the next visit waits for a click instead.
    localStorage.removeItem(KNOWN);
    const { url, pending } = await this.authorization({ isSilent: true });
    sessionStorage.setItem(PENDING, JSON.stringify(pending));
    // The entry is replaced, so that the back button does not lead to the provider.
    location.replace(url);
    return leaving();
  }

  async signOut(): Promise<void> {
    localStorage.removeItem(KNOWN);
    this.token = undefined;
    this.refreshToken = undefined;
    const end = this.server.end_session_endpoint;
    if (end !== undefined) {
      const back = encodeURIComponent(`${location.origin}/console/`);
      location.assign(
        `${end}?client_id=${encodeURIComponent(this.client.client_id)}&post_logout_redirect_uri=${back}`,
      );
      // Otherwise the caller would open another page before the provider's is reached.
      await leaving();
    }
  }

  /**
   * Completes a sign-in that this page, or the one that opened it, has begun.
   *
   * @param user the expected user, if given
   */
  async redeem(url: URL, pending: PendingSignIn, user?: string): Promise<void> {
    const parameters = oauth.validateAuthResponse(this.server, this.client, url, pending.state);
    const response = await oauth.authorizationCodeGrantRequest(
      this.server,
      this.client,
      oauth.None(),
      parameters,
      getSignedInUrl(),
      pending.verifier,
      this.resourceOptions(),
    );
    const answer = await oauth.processAuthorizationCodeResponse(
      this.server,
      this.client,
      response,
      { expectedNonce: pending.nonce, requireIdToken: true },
    );
    if (user !== undefined && oauth.getValidatedIdTokenClaims(answer)?.sub !== user) {
      throw new Error('Another user is signed in at the identity provider.');
    }
    this.accept(answer);
  }

  private async renew(): Promise<void> {
    if (this.refreshToken === undefined) return;
    const response = await oauth.refreshTokenGrantRequest(
      this.server,
      this.client,
      oauth.None(),
      this.refreshToken,
      this.resourceOptions(),
    );
    this.accept(await oauth.processRefreshTokenResponse(this.server, this.client, response));
  }

  /** Renews a session without a refresh token, which some providers do not issue to a silent sign-in. */
  private async renewInFrame(): Promise<void> {
    // It is tried once, because each request would wait for a provider that does not answer.
    this.renewAt = Infinity;
    const { url, pending } = await this.authorization({ isSilent: true });
    await this.redeem(await signInInFrame(url, pending.state), pending, this.user);
  }

  private accept(answer: oauth.TokenEndpointResponse): void {
    const { access_token, id_token, refresh_token, expires_in = 300 } = answer;
    const claims = id_token === undefined ? undefined : oauth.getValidatedIdTokenClaims(answer);
    // Some providers give access tokens that only they can read; the service takes JWTs.
    const isJwt = access_token.split('.').length === 3;
    this.token = isJwt || id_token === undefined ? access_token : id_token;
    this.user = claims?.sub ?? this.user;
    this.refreshToken = refresh_token ?? this.refreshToken;
    const life = expires_in * 1000;
    this.renewAt = Date.now() + life - Math.min(RENEW_BEFORE_MS, life / 2);
  }

  private resourceOptions() {
    const { resource } = this.config;
    return {
      ...(resource !== undefined && { additionalParameters: { resource } }),
      ...insecureOnLoopback(this.server.issuer),
    };
  }

  private async authorization({ isSilent }: Pick<PendingSignIn, 'isSilent'>) {
    const verifier = oauth.generateRandomCodeVerifier();
    const pending: PendingSignIn = {
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      verifier,
      returnTo: location.href,
      isSilent,
    };
    const url = new URL(this.server.authorization_endpoint ?? '');
    const { scope = 'openid offline_access', resource } = this.config;
    url.search = new URLSearchParams({
      client_id: this.client.client_id,
      redirect_uri: getSignedInUrl(),
      response_type: 'code',
      scope,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // Providers give a refresh token only to those who have agreed to it.
      ...(scope.includes('offline_access') && { prompt: 'consent' }),
      ...(isSilent && { prompt: 'none' }),
      ...(resource !== undefined && { resource }),
    }).toString();
    return { url: url.href, pending };
  }
}

export async function startOidcSession(config: ConsoleConfig): Promise<Session> {
  if (config.client_id === undefined) {
    throw new Error('The operator of this service has to set CONSOLE_OIDC_CLIENT_ID first.');
  }
  const issuer = new URL(config.issuer ?? '');
  const discovery = await oauth.discoveryRequest(issuer, insecureOnLoopback(issuer.href));
  const server = await oauth.processDiscoveryResponse(issuer, discovery);
  const session = new CodeFlowSession(server, { client_id: config.client_id }, config);
  if (isSignedInUrl()) await returnFromProvider(session);
  else if (localStorage.getItem(KNOWN) !== null) await session.signInSilently();
  return session;
}

async function returnFromProvider(session: CodeFlowSession): Promise<void> {
  const stored = sessionStorage.getItem(PENDING);
  if (stored === null) {
    // This is the window or the frame that a page has opened, which waits for the code.
    returnToPage();
    return;
  }
  sessionStorage.removeItem(PENDING);
  const pending = JSON.parse(stored) as PendingSignIn;
  const url = new URL(location.href);
  // The code must not stay in the address or the history.
  history.replaceState(null, '', pending.returnTo);
  try {
    await session.redeem(url, pending);
    localStorage.setItem(KNOWN, 'yes');
  } catch (error) {
    // The provider needs the user, who signs in with the button.
    if (!(pending.isSilent && error instanceof oauth.AuthorizationResponseError)) throw error;
  }
}

/** The page is about to be left. */
const leaving = () => new Promise<never>(() => undefined);

/** A provider without TLS is for development, on a loopback address only. */
const insecureOnLoopback = (url: string) => ({
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- it is meant to stand out
  [oauth.allowInsecureRequests]: /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(url),
});
