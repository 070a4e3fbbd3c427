/** What the service asks of keys; `admin` stands for those of service accounts. */
export interface KeyPolicy {
  readonly max_age_days: number | null;
  /** The environments whose keys must have an end. */
  readonly require_expiry: readonly string[];
  /** The environments whose keys must be bound to addresses. */
  readonly require_addresses: readonly string[];
}

/** How the service is configured: how users sign in, and what keys must have. */
export interface ConsoleConfig {
  readonly key_policy: KeyPolicy;
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
   * @param user needed in mode `trust` only
   * @param signal ends the wait for a window that was opened
   */
  signIn(user: string | undefined, signal: AbortSignal): Promise<void>;
  signOut(): Promise<void>;
}
