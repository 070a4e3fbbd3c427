import { describe, expect, it } from '@jest/globals';
import { EventQueue } from './event-queue.mjs';
import { simulate } from './simulate.mjs';

const REQUESTS = 30_000;
/** Of a mean over so many requests that wait for each other. */
const TOLERANCE = 0.1;

const mean = (values: readonly number[] = []) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const served = (work: number) => [{ take: 'server' }, { work }, { give: 'server' }];
const run = (perSecond: number, servers: number, work = 1) =>
  simulate({
    stations: { server: { servers } },
    kinds: [{ name: 'request', perSecond, steps: served(work) }],
    seconds: REQUESTS / perSecond,
    warmUpSeconds: REQUESTS / perSecond / 50,
  });

/** The mean time in an M/M/c queue, by Erlang's C formula. */
function meanResponse(perSecond: number, servers: number, work: number): number {
  const load = perSecond * work;
  let blocking = 1;
  for (let n = 1; n <= servers; n++) blocking = (load * blocking) / (n + load * blocking);
  const waiting = blocking / (1 - (load / servers) * (1 - blocking));
  return work + waiting / (servers / work - perSecond);
}

function expectNear(actual: number | undefined, expected: number) {
  expect(Math.abs(Number(actual) / expected - 1)).toBeLessThan(TOLERANCE);
}

describe('the simulation of queues', () => {
  it.each([
    [0.5, 1],
    [0.8, 1],
    [2.4, 4],
    [12.8, 16],
  ])('has the mean time of the theory: %d requests a second, %d servers', (perSecond, servers) => {
    expectNear(
      mean(run(perSecond, servers).times.get('request')),
      meanResponse(perSecond, servers, 1),
    );
  });

  it('with one server the times are those of M/M/1, whose 99th percentile is known', () => {
    const times = (run(0.5, 1).times.get('request') ?? []).toSorted((a, b) => a - b);
    expectNear(mean(times), 1 / (1 - 0.5));
    expectNear(times[Math.floor(times.length * 0.99)], Math.log(100) / (1 - 0.5));
  });

  it('a station is as busy as the arrivals and their work make it (utilisation law)', () => {
    const { stations } = run(3, 6, 1.4);
    expectNear(stations.get('server')?.utilisation, (3 * 1.4) / 6);
  });

  it('the number in the system is arrivals times mean time (Little)', () => {
    const { times, stations } = run(2.4, 4);
    const { busy = 0, waiting = 0 } = stations.get('server') ?? {};
    expectNear(busy + waiting, 2.4 * mean(times.get('request')));
  });

  it('what arrives leaves, and visits each station as often as its steps say', () => {
    const { arrived, completed, stations } = simulate({
      stations: { process: { servers: 1, isCopied: true }, database: { servers: 2 } },
      copies: 3,
      kinds: [
        {
          name: 'twice',
          perSecond: 1,
          steps: [
            ...[{ take: 'process' }, { work: 0.1 }, { give: 'process' }],
            ...[{ take: 'database' }, { work: 0.2 }, { give: 'database' }, { wait: 0.5 }],
            ...[{ take: 'database' }, { work: 0.2 }, { give: 'database' }],
          ],
        },
        { name: 'never', perSecond: 0, steps: [] },
      ],
      seconds: REQUESTS,
    });
    expectNear(arrived, REQUESTS);
    expect(arrived - completed).toBeGreaterThanOrEqual(0);
    expect(arrived - completed).toBeLessThan(20);
    expectNear(stations.get('database')?.served, 2 * completed);
    expectNear(stations.get('process')?.served, completed);
    expectNear(stations.get('process')?.utilisation, 0.1 / 3);
  });

  it('a server that is kept over other steps is busy meanwhile', () => {
    const { stations } = simulate({
      stations: { connection: { servers: 4 }, database: { servers: 2 } },
      kinds: [
        {
          name: 'request',
          perSecond: 1,
          steps: [
            { take: 'connection' },
            { wait: 1 },
            ...[{ take: 'database' }, { work: 0.1 }, { give: 'database' }],
            { give: 'connection' },
          ],
        },
      ],
      seconds: REQUESTS,
    });
    expectNear(stations.get('connection')?.busy, 1.1);
  });

  it('the same seed has the same result', () => {
    const [one, other] = [run(0.5, 1), run(0.5, 1)].map(({ times }) => mean(times.get('request')));
    expect(one).toBe(other);
  });

  it('events come in the order of their times', () => {
    const events = new EventQueue<number>();
    const times = Array.from({ length: 500 }, (_, n) => (n * 7919) % 499);
    for (const time of times) events.add(time, time);
    const order = times.map(() => events.next()?.event);
    expect(order).toEqual(times.toSorted((a, b) => a - b));
    expect(events.next()).toBeUndefined();
    expect(events.size).toBe(0);
  });
});
