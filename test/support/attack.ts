import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from './client.js';
import { figure } from './figure.js';
import { isThorough } from './repetitions.js';
import type { Service } from './service.js';
import { engine } from './test-database.js';

/** A busy machine can disturb one measurement; what holds the service up shows in each. */
const MEASUREMENTS = 3;
/** The time limit of a test, for all measurements of one attack. */
export const ATTACK_TEST_MS = 180_000;

/** Where others ask: for passages, or for answers. */
type Door = 'query' | 'chat';

/** How long an attack is measured, and how much it may delay others. */
interface Limits {
  readonly attackMs: number;
  readonly idleMs: number;
  /** `/health/live` may take this long, also where `liveRatio` allows less. */
  readonly liveMs: number;
  /** How many times as long as idle `/health/live` may take. */
  readonly liveRatio: number;
  /** Questions may take this long, also where `questionRatio` allows less. */
  readonly questionMs: Record<Door, number>;
  /** How many times as long as idle the questions of others may take under attack. */
  readonly questionRatio: number;
}

/** The aims, which `npm test -- attacks` has. */
const ON_AN_IDLE_MACHINE: Limits = {
  ...{ attackMs: 10_000, idleMs: 4000 },
  ...{ liveMs: 100, liveRatio: 2 },
  ...{ questionMs: { query: 100, chat: 150 }, questionRatio: 3 },
};

/** So wide that only a service that an attack blocks exceeds them, and not a busy machine. */
const ON_A_BUSY_MACHINE: Limits = {
  ...{ attackMs: 3000, idleMs: 1500 },
  ...{ liveMs: 1000, liveRatio: 10 },
  ...{ questionMs: { query: 2000, chat: 2000 }, questionRatio: 20 },
};

/** How long others wait: for the slowest `/health/live`, and for 99 of 100 questions. */
interface Waiting {
  readonly live: number;
  readonly question: number;
}

/**
 * Attacks a service and fails when others notice it: when one `/health/live`, or the 99th
 * percentile of another tenant's `/query` or `/chat`, exceeds the limits, or when either is refused. Writes
 * the figures.
 *
 * @param attack repeated until the end of the measurement, when its signal is aborted
 */
export async function expectUnnoticed(
  service: Service,
  what: string,
  attack: (signal: AbortSignal) => Promise<unknown>,
  door: Door = 'query',
): Promise<void> {
  const limits = isThorough ? ON_AN_IDLE_MACHINE : ON_A_BUSY_MACHINE;
  const bystander = await Bystander.start(service, door);
  try {
    let idle: Waiting = { live: Infinity, question: Infinity };
    for (let count = 1; ; count++) {
      const quiet = await bystander.measure(() => setTimeout(limits.idleMs));
      // What an attack leaves behind must not count as idle.
      idle = {
        live: Math.min(idle.live, quiet.live),
        question: Math.min(idle.question, quiet.question),
      };
      const attacked = await bystander.measure(() => repeat(attack, limits.attackMs));
      const figures =
        `/health/live at most ${ms(attacked.live)} (idle ${ms(idle.live)}), ` +
        `another tenant's /${door} p99 ${ms(attacked.question)} (idle ${ms(idle.question)})`;
      figure(`${what}, ${engine}: ${figures}`);
      const unnoticed =
        attacked.live <= Math.max(limits.liveMs, limits.liveRatio * idle.live) &&
        attacked.question <=
          Math.max(limits.questionMs[door], limits.questionRatio * idle.question);
      if (unnoticed) return;
      if (count === MEASUREMENTS) throw new Error(`${what} is noticed by others: ${figures}`);
    }
  } finally {
    bystander.stop();
  }
}

async function repeat(
  attack: (signal: AbortSignal) => Promise<unknown>,
  attackMs: number,
): Promise<void> {
  const signal = AbortSignal.timeout(attackMs);
  while (!signal.aborted) {
    await attack(signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

/** Another tenant, who has a knowledge base of one document and asks it at regular intervals. */
export class Bystander {
  private constructor(private readonly process: ChildProcess) {}

  static async start(service: Service, door: Door = 'query'): Promise<Bystander> {
    const user = new Client(service, 'bystander');
    const { id } = await user.createKnowledgeBase();
    const text = 'An order may be returned within 30 days.';
    await user.addDocument(id, { title: 'Returns', text });
    const { api_key: apiKey } = await user.createApiKey(id);
    const child = fork(join('test', 'support', 'bystander.mjs'), [service.url, apiKey, door]);
    await once(child, 'message');
    return new Bystander(child);
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
    return { live: Math.max(0, ...latencies.live), question: percentile(latencies.question, 0.99) };
  }

  stop(): void {
    this.process.kill();
  }
}

interface Report {
  readonly latencies: { readonly live: number[]; readonly question: number[] };
  readonly refusals: readonly string[];
}

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? 0;

const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
