import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from './client.js';
import { figure } from './figure.js';
import type { Service } from './service.js';
import { engine } from './test-database.js';

const ATTACK_MS = 10_000;
const IDLE_MS = 4000;
/** A busy machine can disturb one measurement; what holds the service up shows in each. */
const MEASUREMENTS = 3;
/** A live service that answers later is taken for one that stands. */
const LIVE_LIMIT_MS = 100;
/** How much longer than idle the questions of others may take under attack. */
const QUERY_RATIO = 3;
/** Of questions that are answered sooner than this, the ratio is the machine's, not the service's. */
const QUERY_FLOOR_MS = 50;
/** What all measurements of one attack may take, as the time limit of its test. */
export const ATTACK_TEST_MS = 180_000;

/** How long others wait: for the slowest `/health/live`, and for 99 of 100 `/query`. */
interface Waiting {
  readonly live: number;
  readonly query: number;
}

/**
 * Does something to a service for 10 s and fails when others notice: when `/health/live` is
 * answered later than 100 ms once, when another tenant's `/query` takes, at the 99th percentile,
 * more than three times as long as without the attack, or when either is refused. Writes the
 * figures. Where the machine alone is as slow as that, its idle time decides.
 *
 * @param attack begun again whenever it ends; its signal is aborted after 10 s
 */
export async function expectUnnoticed(
  service: Service,
  what: string,
  attack: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const bystander = await Bystander.start(service);
  try {
    let idle: Waiting = { live: Infinity, query: Infinity };
    for (let count = 1; ; count++) {
      const quiet = await bystander.measure(() => setTimeout(IDLE_MS));
      // What an attack leaves behind must not count as idle.
      idle = {
        live: Math.min(idle.live, quiet.live),
        query: Math.min(idle.query, quiet.query),
      };
      const attacked = await bystander.measure(() => repeat(attack));
      const figures =
        `/health/live at most ${ms(attacked.live)} (idle ${ms(idle.live)}), ` +
        `another tenant's /query p99 ${ms(attacked.query)} (idle ${ms(idle.query)})`;
      figure(`${what}, ${engine}: ${figures}`);
      const unnoticed =
        attacked.live <= Math.max(LIVE_LIMIT_MS, 2 * idle.live) &&
        attacked.query <= Math.max(QUERY_FLOOR_MS, QUERY_RATIO * idle.query);
      if (unnoticed) return;
      if (count === MEASUREMENTS) throw new Error(`${what} is noticed by others: ${figures}`);
    }
  } finally {
    bystander.stop();
  }
}

async function repeat(attack: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const signal = AbortSignal.timeout(ATTACK_MS);
  while (!signal.aborted) {
    await attack(signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

/** Another tenant, who has a knowledge base of one document and asks it at regular intervals. */
export class Bystander {
  private constructor(private readonly process: ChildProcess) {}

  static async start(service: Service): Promise<Bystander> {
    const user = new Client(service, 'bystander');
    const { id } = await user.createKnowledgeBase();
    const text = 'An order may be returned within 30 days.';
    await user.addDocument(id, { title: 'Returns', text });
    const { api_key: apiKey } = await user.createApiKey(id);
    return new Bystander(fork(join('test', 'support', 'bystander.mjs'), [service.url, apiKey]));
  }

  /** How long this tenant waits while `work` is done; fails when it is refused. */
  async measure(work: () => Promise<unknown>): Promise<Waiting> {
    this.process.send({ begin: true });
    let reported: Promise<unknown[]> | undefined;
    try {
      await work();
    } finally {
      reported = once(this.process, 'message');
      this.process.send({ begin: false });
      // Also after a failure: the next measurement must not take this report for its own.
      await reported;
    }
    const [{ latencies, refusals }] = (await reported) as [Report];
    if (refusals[0] !== undefined) throw new Error(`Others are refused: ${refusals[0]}`);
    return { live: Math.max(0, ...latencies.live), query: percentile(latencies.query, 0.99) };
  }

  stop(): void {
    this.process.kill();
  }
}

interface Report {
  readonly latencies: { readonly live: number[]; readonly query: number[] };
  readonly refusals: readonly string[];
}

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? NaN;

const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
