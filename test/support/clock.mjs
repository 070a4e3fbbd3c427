import { readFileSync } from 'node:fs';

/**
 * Loaded into a service with `--import`: its clock is ahead by as many milliseconds as the file
 * CLOCK_FILE says, so that a test need not wait for minutes to pass; behind, where they are
 * negative. Timers are as they were.
 */
const file = String(process.env['CLOCK_FILE']);
const RealDate = Date;
const now = () => RealDate.now() + Number(readFileSync(file, 'utf8'));

globalThis.Date = new Proxy(RealDate, {
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
});
