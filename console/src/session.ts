import {
  isInFrame,
  isSignedInUrl,
  returnToPage,
  getSignedInUrl,
  signInInWindow,
} from './sign-in-window.js';
import type { ConsoleConfig, KeyPolicy, Session } from './session-types.js';

const USER = 'latchkey-user';

interface Started {
  readonly session: Session;
  readonly keyPolicy: KeyPolicy;
  readonly plugins: readonly string[];
}

export async function startSession(): Promise<Started> {
  if (isSignedInUrl() && isInFrame()) {
    returnToPage();
    // The page that has the frame removes it.
    return new Promise(() => undefined);
  }
  const response = await fetch('/console/config.json');
  if (!response.ok) throw new Error('The service does not answer. Reload the page in a moment.');
  const config = (await response.json()) as ConsoleConfig;
  const { key_policy: keyPolicy, plugins } = config;
  return { session: await createSession(config), keyPolicy, plugins };
}

async function createSession(config: ConsoleConfig): Promise<Session> {
  switch (config.mode) {
    case 'trust':
      return new TrustSession();
    case 'gateway':
      if (isSignedInUrl()) {
        returnToPage();
        history.replaceState(null, '', '/console/');
      }
      return gatewaySession;
    case 'oidc': {
      // The code is only loaded in this mode.
      const { startOidcSession } = await import('./oidc.js');
      return startOidcSession(config);
    }
  }
}

/** The session in development mode, where the service trusts any user id. */
class TrustSession implements Session {
  readonly mode = 'trust';
  /** The user is read once, so that this tab keeps its user when another tab signs in as another one. */
  user = localStorage.getItem(USER) ?? undefined;

  get isSignedIn() {
    return this.user !== undefined;
  }

  headers() {
    return { 'x-idp-user-id': this.user ?? '' };
  }

  signIn(user = '') {
    this.user = user;
    localStorage.setItem(USER, user);
    return Promise.resolve();
  }

  signOut() {
    localStorage.removeItem(USER);
    return Promise.resolve();
  }
}

/** The session behind a gateway, which adds the user to each request. */
const gatewaySession: Session = {
  mode: 'gateway',
  user: undefined,
  isSignedIn: true,
  headers: () => ({}),
  // The gateway answers a new page with its own sign-in, and leads back to it.
  signIn: async (_user, signal) => {
    await signInInWindow(getSignedInUrl(), signal);
  },
  signOut: () => Promise.resolve(),
};
