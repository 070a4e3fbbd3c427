import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as oauth from 'oauth4webapi';
import { DashboardIdentity } from '../../knowledge-bases/dashboard-auth/dashboard-identity.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { Config } from '../../platform/config/config.js';
import { isLoopback } from '../../platform/config/validators.js';
import { Problem } from '../../platform/problems/problem.js';
import { OAuthStore } from './oauth-store.js';

const COOKIE = 'latchkey_person';
const COOKIE_VALUE = /(?:^|;\s*)latchkey_person=([\w-]{43})(?:;|$)/;
const SIGN_IN_SECONDS = 10 * 60;
/** As long as the page is kept. */
const PERSON_SECONDS = 30 * 60;
const TIMEOUT_MS = 5000;

/** What is kept while a person is at the identity provider. */
interface Pending {
  /** The page that they come back to. */
  readonly uid: string;
  readonly verifier: string;
  readonly nonce: string;
}

/** A person who has come back. */
interface SignedIn {
  readonly uid: string;
  readonly user: DashboardUser;
}

interface Provider {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly scope: string;
  readonly resource: string | undefined;
}

/**
 * Signs a person in at the identity provider (mode `oidc`), as the console does, for a page that needs no
 * script. A cookie of that page names what is kept of them.
 */
@Injectable()
export class PersonSignIn {
  private provider: Promise<Provider> | undefined;

  constructor(
    private readonly config: Config,
    private readonly identity: DashboardIdentity,
    private readonly store: OAuthStore,
  ) {}

  /** Whether there is a provider that the service is a client of. */
  get isOffered(): boolean {
    const { dashboardAuth } = this.config;
    return dashboardAuth.mode === 'oidc' && dashboardAuth.console !== undefined;
  }

  /**
   * @param base the service's address
   * @param uid the page
   * @returns where to send the person
   * @throws Problem `identity_provider_unavailable`
   */
  async begin(base: string, uid: string): Promise<string> {
    const { server, client, scope, resource } = await this.findProvider();
    const state = oauth.generateRandomState();
    const verifier = oauth.generateRandomCodeVerifier();
    const nonce = oauth.generateRandomNonce();
    const pending: Pending = { uid, verifier, nonce };
    await this.store.keep('SignIn', state, pending, SIGN_IN_SECONDS);
    const url = new URL(server.authorization_endpoint ?? '');
    url.search = new URLSearchParams({
      ...{ client_id: client.client_id, redirect_uri: toRedirectUri(base), response_type: 'code' },
      ...{ scope, state, nonce, code_challenge_method: 'S256' },
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      ...(resource !== undefined && { resource }),
    }).toString();
    return url.href;
  }

  /**
   * Receives the person from the provider, and sets the cookie of the page.
   *
   * @returns the page; undefined if nobody has begun this, or if it was refused there
   * @throws Problem `identity_provider_unavailable`, or that the token is not valid
   */
  async finish(
    base: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string | undefined> {
    const { searchParams } = new URL(request.url, base);
    const state = searchParams.get('state') ?? '';
    const pending = (await this.store.take('SignIn', state)) as Pending | undefined;
    if (!pending) return undefined;
    const { uid } = pending;
    const path = `${new URL(base).pathname.replace(/\/$/, '')}/oauth/connect/${uid}`;
    const token = await this.redeem(base, searchParams, state, pending);
    const user = token && (await this.identity.authenticateToken?.(token, request.id));
    if (user) {
      const id = oauth.generateRandomState();
      const signedIn: SignedIn = { uid, user };
      await this.store.keep('Person', id, signedIn, PERSON_SECONDS);
      const secure = base.startsWith('https:') ? '; Secure' : '';
      const attributes = `Path=${path}; HttpOnly; SameSite=Lax${secure}`;
      void reply.header('set-cookie', `${COOKIE}=${id}; ${attributes}`);
    }
    return path;
  }

  /** The person whom the cookie of a page names. */
  async findPerson(
    { headers, id: requestId }: FastifyRequest,
    uid: string,
  ): Promise<DashboardUser | undefined> {
    const [, id] = COOKIE_VALUE.exec(headers.cookie ?? '') ?? [];
    const found = id === undefined ? undefined : await this.store.find('Person', id);
    const signedIn = found as SignedIn | undefined;
    return signedIn?.uid === uid ? { ...signedIn.user, requestId } : undefined;
  }

  /** @returns undefined if the provider has refused it */
  private async redeem(
    base: string,
    answer: URLSearchParams,
    state: string,
    { verifier, nonce }: Pending,
  ): Promise<string | undefined> {
    const { server, client, resource } = await this.findProvider();
    try {
      const parameters = oauth.validateAuthResponse(server, client, answer, state);
      const response = await oauth.authorizationCodeGrantRequest(
        ...([server, client, oauth.None(), parameters, toRedirectUri(base), verifier] as const),
        {
          ...toOptions(server.issuer),
          ...(resource !== undefined && { additionalParameters: { resource } }),
        },
      );
      const expected = { expectedNonce: nonce, requireIdToken: true };
      const tokens = await oauth.processAuthorizationCodeResponse(
        ...([server, client, response, expected] as const),
      );
      // Some providers give access tokens that only they can read.
      const isJwt = tokens.access_token.split('.').length === 3;
      return isJwt ? tokens.access_token : tokens.id_token;
    } catch (error) {
      if (error instanceof oauth.AuthorizationResponseError) return undefined;
      if (error instanceof oauth.ResponseBodyError) return undefined;
      throw new Problem('identity_provider_unavailable');
    }
  }

  private async findProvider(): Promise<Provider> {
    this.provider ??= this.discover().catch((error: unknown) => {
      this.provider = undefined;
      throw error;
    });
    return this.provider;
  }

  private async discover(): Promise<Provider> {
    const { dashboardAuth } = this.config;
    if (dashboardAuth.mode !== 'oidc' || !dashboardAuth.console) throw new Problem('not_found');
    const { issuer, console: console_ } = dashboardAuth;
    const { client_id, scope, resource } = console_;
    const url = new URL(issuer);
    try {
      const response = await oauth.discoveryRequest(url, toOptions(issuer));
      const server = await oauth.processDiscoveryResponse(url, response);
      return { server, client: { client_id }, scope: withoutOffline(scope), resource };
    } catch {
      throw new Problem('identity_provider_unavailable');
    }
  }
}

const toRedirectUri = (base: string): string => `${base}/oauth/signed-in`;

/** The token is used once. */
const withoutOffline = (scope: string): string =>
  scope
    .split(' ')
    .filter((one) => one !== 'offline_access')
    .join(' ');

const toOptions = (issuer: string) => ({
  signal: AbortSignal.timeout(TIMEOUT_MS),
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- it is meant to stand out
  [oauth.allowInsecureRequests]: isLoopback(new URL(issuer).hostname.replace(/^\[|\]$/g, '')),
});
