import { describe, it } from '@jest/globals';
import { isRunning } from './plugins.mjs';
import { isThorough } from './repetitions.js';
import { engine } from './test-database.js';

/**
 * What some tests need. Without it they are skipped for a reason, which stands in their title, so that
 * skipped-reporter.mjs can count them by it at the end of the run.
 */
export class Requirement {
  constructor(
    readonly isMet: boolean,
    /** Completes “skipped: …”. */
    private readonly reason: string,
  ) {}

  describe(title: string, body: () => void): void {
    if (this.isMet) describe(title, body);
    else describe.skip(this.marked(title), body);
  }

  it(title: string, body: () => Promise<void>): void {
    if (this.isMet) it(title, body);
    else it.skip(this.marked(title), body);
  }

  /** @returns this one where it is not met, else the other */
  and(other: Requirement): Requirement {
    return this.isMet ? other : this;
  }

  private marked(title: string): string {
    return `${title} (skipped: ${this.reason})`;
  }
}

export const ENGINE_NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

/** For what only one engine has, or does in another way. */
export const onlyOn = (one: keyof typeof ENGINE_NAMES): Requirement =>
  new Requirement(engine === one, `of ${ENGINE_NAMES[one]} only, whose project runs them`);

/** For what asks nothing of the database that other files do not ask of PostgreSQL. */
export const usuallyOnSqlite = new Requirement(
  engine === 'sqlite' || isThorough,
  'of SQLite, whose project runs them, and of PostgreSQL before a release',
);

/** Other plugins. The tests of a plugin also run with it alone: npm test -- plugin <name> */
export function withPlugins(...names: string[]): Requirement {
  const missing = names.filter((name) => !isRunning(name));
  return new Requirement(missing.length === 0, `PLUGINS leaves out ${missing.join(' and ')}`);
}

/** A program. In CI its absence is a failure, since nobody reads what a green run skipped. */
export function tool(name: string, isThere: boolean): Requirement {
  if (!isThere && process.env['CI'] !== undefined) throw new Error(`${name} is not installed`);
  return optionalTool(name, isThere);
}

/** Like `tool`, for a program that CI may be unable to install: CI passes without it. */
export const optionalTool = (name: string, isThere: boolean): Requirement =>
  new Requirement(isThere, `${name} is not installed`);

/** Another place that packages are installed from. */
export const registry = (name: string, isReached: boolean): Requirement =>
  new Requirement(isReached, `${name} is not reached`);
