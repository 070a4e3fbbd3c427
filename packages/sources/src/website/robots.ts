import { setTimeout as sleep } from 'node:timers/promises';
import robotsParser from 'robots-parser';
import { hostOf, readBytes, ThrottledClient } from '../throttled-client.js';
import { type SourceContext, SourceError } from '../source-kind.js';

interface Robot {
  isAllowed(url: string, userAgent: string): boolean | undefined;
  getCrawlDelay(userAgent: string): number | undefined;
}

type ParseRobots = (url: string, text: string) => Robot;

/** The types of the library name a default export, whereas the module itself is the function. */
const isParser = (module: unknown): module is ParseRobots => typeof module === 'function';

function parseRobots(url: string, text: string): Robot {
  const module: unknown = robotsParser;
  if (!isParser(module)) throw new TypeError('robots-parser is no function');
  return module(url, text);
}

/** As much as crawlers must read, by RFC 9309. */
const MAX_BYTES = 512 * 1024;
/** A site that wants more is read with this one. */
const MAX_DELAY_S = 30;

/** Keeps to the robots.txt of each origin: what may be read, and how often. */
export class Robots {
  private readonly rules = new Map<string, Promise<Robot>>();
  private readonly nextAt = new Map<string, number>();

  constructor(
    private readonly context: SourceContext,
    private readonly client: ThrottledClient,
  ) {}

  async allows(address: string): Promise<boolean> {
    const robot = await this.rulesOf(new URL(address).origin);
    return robot.isAllowed(address, this.context.userAgent) !== false;
  }

  /** Waits until the site may be asked again. */
  async pause(address: string): Promise<void> {
    const { origin } = new URL(address);
    const robot = await this.rulesOf(origin);
    const delay = Math.min(robot.getCrawlDelay(this.context.userAgent) ?? 0, MAX_DELAY_S) * 1000;
    const wait = (this.nextAt.get(origin) ?? 0) - performance.now();
    if (wait > 0) await sleep(wait, undefined, { signal: this.context.signal });
    this.nextAt.set(origin, performance.now() + delay);
  }

  private rulesOf(origin: string): Promise<Robot> {
    const known = this.rules.get(origin) ?? this.read(origin);
    this.rules.set(origin, known);
    return known;
  }

  /** @throws SourceError when the server fails, since it may then forbid everything (RFC 9309, 2.3.1.4) */
  private async read(origin: string): Promise<Robot> {
    const url = `${origin}/robots.txt`;
    const response = await this.client.request(url);
    if (response.status >= 500) {
      await response.body?.cancel();
      const problem = `The robots.txt of ${hostOf(url)} cannot be read (status ${response.status}).`;
      throw new SourceError('unreachable', problem);
    }
    if (!response.ok) {
      await response.body?.cancel();
      return parseRobots(url, '');
    }
    return parseRobots(url, (await readBytes(response, MAX_BYTES)).toString());
  }
}
