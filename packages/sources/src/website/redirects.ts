import { getHost } from '../throttled-client.js';
import { SourceError } from '../source-kind.js';

const MAX_REDIRECTS = 10;

export interface Visit {
  readonly address: string;
  readonly depth: number;
  readonly isStart: boolean;
  /** The number of redirects that led here. */
  readonly redirects: number;
}

/** The redirects of a website, and the addresses that cannot be read. */
export class Redirects {
  private readonly targets = new Map<string, string>();
  private readonly visits: Visit[] = [];
  private readonly failures = new Map<string, SourceError>();

  /** @returns the next visit; undefined after too many redirects */
  follow(visit: Visit, target: string): Visit | undefined {
    const { address, redirects } = visit;
    this.targets.set(address, target);
    this.visits.push(visit);
    if (redirects < MAX_REDIRECTS) return { ...visit, address: target, redirects: redirects + 1 };
    this.failures.set(target, endlessRedirect(address));
    return undefined;
  }

  /** Records that an address cannot be read. */
  fail(address: string, error: SourceError): void {
    this.failures.set(address, error);
  }

  /** Yields, at the end of a crawl, the redirects that lead to a failure. */
  *listFailed(): Generator<readonly [Visit, SourceError]> {
    for (const visit of this.visits) {
      const failure = this.failureBehind(visit.address);
      if (failure) yield [visit, failure];
    }
  }

  private failureBehind(address: string): SourceError | undefined {
    let at = address;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const next = this.targets.get(at);
      if (next === undefined) return this.failures.get(at);
      at = next;
    }
    return endlessRedirect(address);
  }
}

const endlessRedirect = (address: string) =>
  new SourceError('unreachable', `${getHost(address)} redirects without an end.`);
