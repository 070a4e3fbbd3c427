import { expect } from '@jest/globals';
import { type Answer, outcome } from '../client.js';
import { eventually } from '../service.js';

/** What came of one lane's requests. */
export class Lane {
  outcomes: Record<string, number> = {};
  latencies: number[] = [];
  /** Refusals that do not say when to try again. */
  withoutRetryAfter = 0;

  get count(): number {
    return this.latencies.length;
  }

  add(answer: Answer<unknown>, latency: number): void {
    const result = outcome(answer);
    this.outcomes[result] = (this.outcomes[result] ?? 0) + 1;
    this.latencies.push(latency);
    const seconds = answer.headers.get('retry-after') ?? '';
    if (answer.status === 503 && !/^[1-9]\d*$/.test(seconds)) this.withoutRetryAfter++;
  }
}

/** Clients of the load balancer get answers, or a 503 with `Retry-After`. */
export function expectNoErrors({ outcomes, withoutRetryAfter }: Lane, success: string): void {
  const others = Object.keys(outcomes).filter((result) => result !== success);
  expect(others.filter((result) => !/^503 (database|host)_unavailable$/.test(result))).toEqual([]);
  expect(withoutRetryAfter).toBe(0);
}

/** Lanes of requests, in each of which one follows the other without a pause. */
export class Traffic {
  readonly lanes = new Map<string, Lane>();
  private readonly running: Promise<void>[] = [];
  private over = false;
  private failure: unknown;

  add(name: string, request: () => Promise<Answer<unknown>>): void {
    this.lanes.set(name, new Lane());
    const run = async () => {
      while (!this.over) {
        const begun = performance.now();
        const answer = await request();
        this.lane(name).add(answer, performance.now() - begun);
      }
    };
    this.running.push(run().catch((error: unknown) => void (this.failure ??= error)));
  }

  lane(name: string): Lane {
    const lane = this.lanes.get(name);
    if (!lane) throw new Error(`There is no lane ${name}`);
    return lane;
  }

  /** Waits until each lane has had so many more answers. */
  async more(count: number, names: Iterable<string> = this.lanes.keys()): Promise<void> {
    const aims = [...names].map((name) => [name, this.lane(name).count + count] as const);
    await eventually(() => {
      this.throwFailure();
      return aims.every(([name, aim]) => this.lane(name).count >= aim);
    });
  }

  /** Forgets what has come so far; gives it. */
  take(): Map<string, Lane> {
    const before = new Map(this.lanes);
    for (const name of before.keys()) this.lanes.set(name, new Lane());
    return before;
  }

  async stop(): Promise<void> {
    this.over = true;
    await Promise.all(this.running);
    this.throwFailure();
  }

  private throwFailure(): void {
    if (this.failure !== undefined) throw this.failure as Error;
  }
}

export const p99 = (latencies: readonly number[]): number =>
  Math.round(latencies.toSorted((x, y) => x - y)[Math.floor(latencies.length * 0.99)] ?? 0);

export const figuresOf = (name: string, { outcomes, latencies }: Lane): string =>
  `${name} ${JSON.stringify(outcomes)}, at most ${Math.round(Math.max(...latencies))} ms`;
