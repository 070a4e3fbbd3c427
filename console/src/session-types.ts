/** The requirements for keys; the environment `admin` stands for keys of service accounts. */
export interface KeyPolicy {
  readonly max_age_days: number | null;
  /** The environments whose keys must expire. */
  readonly require_expiry: readonly string[];
  /** The environments whose keys must be bound to addresses. */
  readonly require_addresses: readonly string[];
}

/** The configuration of the service: the sign-in, the requirements for keys, and the plugins that run. */
export interface ConsoleConfig {
  readonly key_policy: KeyPolicy;
  readonly plugins: readonly string[];
  readonly mode: 'trust' | 'gateway' | 'oidc';
  readonly issuer?: string;
  readonly client_id?: string;
  readonly scope?: string;
  readonly resource?: string;
}

export interface Session {
  readonly mode: ConsoleConfig['mode'];
  /** Undefined until the user has signed in, and where only the gateway knows. */
  readonly user: string | undefined;
  /** Whether requests can be made. */
  readonly isSignedIn: boolean;
  /** The headers that identify the user. */
  headers(): Record<string, string> | Promise<Record<string, string>>;
  /**
   * @param user only needed in mode `trust`
   * @param signal ends the wait for the sign-in window
   */
  signIn(user: string | undefined, signal: AbortSignal): Promise<void>;
  signOut(): Promise<void>;
}
