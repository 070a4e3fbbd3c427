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
  /**
   * @param user needed in mode `trust` only
   * @param signal ends the wait for a window that was opened
   */
  signIn(user: string | undefined, signal: AbortSignal): Promise<void>;
  signOut(): Promise<void>;
}
