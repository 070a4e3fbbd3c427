import { setTimeout as sleep } from 'node:timers/promises';
import { getHost, readBytes, ThrottledClient } from '../throttled-client.js';
import { type SourceContext, SourceError } from '../source-kind.js';
import { RobotsRules, TooManyRules } from './robots-rules.js';

/** The size that crawlers must read at least, by RFC 9309. */
const MAX_BYTES = 512 * 1024;
/** The longest delay that is respected; a site that asks for more gets this one. */
const MAX_DELAY_S = 30;

/** Obeys the robots.txt of each origin, which says what may be read and how often. */
export class Robots {
  private readonly rules = new Map<string, Promise<RobotsRules>>();
  private readonly nextAt = new Map<string, number>();

  constructor(
    private readonly context: SourceContext,
    private readonly client: ThrottledClient,
  ) {}

  async allows(address: string): Promise<boolean> {
    return (await this.loadRules(new URL(address).origin)).allows(address);
  }

  /** Waits until the site may be asked again. */
  async pause(address: string): Promise<void> {
    const { origin } = new URL(address);
    const { crawlDelay = 0 } = await this.loadRules(origin);
    const delay = Math.min(crawlDelay, MAX_DELAY_S) * 1000;
    const wait = (this.nextAt.get(origin) ?? 0) - performance.now();
    if (wait > 0) await sleep(wait, undefined, { signal: this.context.signal });
    this.nextAt.set(origin, performance.now() + delay);
  }

  private loadRules(origin: string): Promise<RobotsRules> {
    const known = this.rules.get(origin) ?? this.read(origin);
    this.rules.set(origin, known);
    return known;
  }

  /** @throws SourceError if the server fails, since everything is then forbidden (RFC 9309, 2.3.1.4) */
  private async read(origin: string): Promise<RobotsRules> {
    const url = `${origin}/robots.txt`;
    const response = await this.client.request(url);
    if (response.status >= 500) {
      await response.body?.cancel();
      const problem = `The robots.txt of ${getHost(url)} cannot be read (status ${response.status}).`;
      throw new SourceError('unreachable', problem);
    }
    const text = response.ok ? (await readBytes(response, MAX_BYTES)).toString() : '';
    if (!response.ok) await response.body?.cancel();
    try {
      return new RobotsRules(text, this.context.userAgent.split('/', 1)[0] ?? '');
    } catch (error) {
      if (!(error instanceof TooManyRules)) throw error;
      const problem = `The robots.txt of ${getHost(url)} has more rules than can be kept to.`;
      throw new SourceError('too_large', problem, { cause: error });
    }
  }
}
