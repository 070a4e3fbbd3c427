/** How users sign in, as the service is configured. */
export interface SignInConfig {
  readonly mode: 'trust' | 'gateway' | 'oidc';
  readonly issuer?: string;
  readonly client_id?: string;
  readonly scope?: string;
  readonly resource?: string;
}

export interface Session {
  readonly mode: SignInConfig['mode'];
  /** Undefined until the user has signed in, and where only the gateway knows. */
  readonly user: string | undefined;
  /** Whether requests can be made. */
  readonly isSignedIn: boolean;
  /** The headers that identify the user. */
  headers(): Record<string, string> | Promise<Record<string, string>>;
  /** @param user needed in mode `trust` only */
  signIn(user?: string): Promise<void>;
  signOut(): Promise<void>;
}

const USER = 'latchkey-user';

export async function startSession(): Promise<Session> {
  const response = await fetch('/console/config.json');
  if (!response.ok) throw new Error('The service does not answer. Reload the page in a moment.');
  const config = (await response.json()) as SignInConfig;
  switch (config.mode) {
    case 'trust':
      return new TrustSession();
    case 'gateway':
      return gatewaySession;
    case 'oidc': {
      // Loaded only where it is needed.
      const { startOidcSession } = await import('./oidc.js');
      return startOidcSession(config);
    }
  }
}

/** For development: the service believes any user id. */
class TrustSession implements Session {
  readonly mode = 'trust';

  get user() {
    return localStorage.getItem(USER) ?? undefined;
  }

  get isSignedIn() {
    return this.user !== undefined;
  }

  headers() {
    return { 'x-idp-user-id': this.user ?? '' };
  }

  signIn(user = '') {
    localStorage.setItem(USER, user);
    return Promise.resolve();
  }

  signOut() {
    localStorage.removeItem(USER);
    return Promise.resolve();
  }
}

/** The gateway in front of the service adds who the user is. */
const gatewaySession: Session = {
  mode: 'gateway',
  user: undefined,
  isSignedIn: true,
  headers: () => ({}),
  // The gateway answers a new page with its own sign-in.
  signIn: () => {
    location.reload();
    return Promise.resolve();
  },
  signOut: () => Promise.resolve(),
};
