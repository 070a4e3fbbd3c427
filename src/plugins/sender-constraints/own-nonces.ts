import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';

/** A nonce of before the last two periods is no longer accepted. */
const PERIOD_MS = 5 * 60 * 1000;
/** About 5 MB in each of two periods. */
const MAX_USED = 50_000;

interface Period {
  readonly nonce: string;
  readonly begun: number;
  /** The ids of the proofs that were used with the nonce. */
  readonly used: Set<string>;
}

/**
 * Nonces that this process alone accepts, so that it can keep in memory which proofs were used with them. A nonce
 * is forgotten together with its proofs, so a clock that is set back cannot make an old proof acceptable.
 */
export class OwnNonces {
  private readonly process = randomBytes(9).toString('base64url');
  private current: Period;
  private previous: Period | undefined;

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly maxUsed = MAX_USED,
  ) {
    this.current = this.begin();
  }

  /** The nonce for the next proof. */
  get next(): string {
    const { begun, used } = this.current;
    // The other half is for requests that are already under way.
    if (used.size >= this.maxUsed / 2 || this.now() - begun >= PERIOD_MS) {
      this.previous = this.current;
      this.current = this.begin();
    }
    return this.current.nonce;
  }

  /** Whether this process has made a nonce. */
  isOwn(nonce: string): boolean {
    return nonce.startsWith(this.process);
  }

  /**
   * Records that a proof is used with a nonce of this process.
   *
   * @returns `ended` if the nonce is no longer accepted
   */
  use(nonce: string, proofId: string): 'new' | 'used' | 'ended' {
    const accepting = [this.current, this.previous];
    const period = accepting.find((one) => one?.nonce === nonce);
    if (period?.used.has(proofId)) return 'used';
    if (!period || period.used.size >= this.maxUsed) return 'ended';
    period.used.add(proofId);
    return 'new';
  }

  private begin(): Period {
    const nonce = this.process + randomBytes(12).toString('base64url');
    return { nonce, begun: this.now(), used: new Set() };
  }
}
