import { EventQueue } from './event-queue.mjs';

/**
 * A simulation of queues: requests arrive at random (a Poisson process) and take their steps one
 * after the other. A station serves in the order of arrival.
 *
 * @typedef {object} Station
 * @property {number} servers of each copy
 * @property {boolean} [isCopied] there is one for each process of the service; a request keeps its process
 *
 * @typedef {{ take: string } | { give: string } | { work: number } | { wait: number }} Step
 *   take a server of a station, give it back; work takes this many seconds in the mean
 *   (exponentially distributed), a wait always as many
 *
 * @typedef {object} RequestKind
 * @property {string} name
 * @property {number} perSecond
 * @property {Step[]} steps
 *
 * @typedef {object} Running a request
 * @property {RequestKind} kind
 * @property {number} copy
 * @property {number} step that it takes next
 * @property {number} arrivedAt
 */

/**
 * @param {object} model
 * @param {Record<string, Station>} model.stations
 * @param {RequestKind[]} model.kinds
 * @param {number} [model.copies]
 * @param {number} model.seconds
 * @param {number} [model.warmUpSeconds] at the beginning, which are not counted
 * @param {number} [model.seed]
 */
export function simulate({ stations, kinds, copies = 1, seconds, warmUpSeconds = 0, seed = 1 }) {
  const random = randomNumbers(seed);
  const exponential = (/** @type {number} */ mean) => -mean * Math.log(1 - random());
  const queues = new Map(
    Object.entries(stations).map(([name, station]) => [
      name,
      new StationQueue(station, station.isCopied ? copies : 1, warmUpSeconds),
    ]),
  );
  /** @type {EventQueue<RequestKind | Running>} */
  const events = new EventQueue();
  /** @type {Map<string, number[]>} */
  const times = new Map(kinds.map(({ name }) => [name, []]));
  for (const kind of kinds)
    if (kind.perSecond > 0) events.add(exponential(1 / kind.perSecond), kind);
  let arrived = 0;
  let completed = 0;
  const stationOf = (/** @type {string} */ name) => {
    const queue = queues.get(name);
    if (!queue) throw new Error(`There is no station ${name}`);
    return queue;
  };
  const proceed = (/** @type {Running} */ request, /** @type {number} */ now) => {
    for (;;) {
      const step = request.kind.steps[request.step++];
      if (step === undefined) {
        completed++;
        if (request.arrivedAt >= warmUpSeconds) {
          times.get(request.kind.name)?.push(now - request.arrivedAt);
        }
        return;
      }
      if ('work' in step || 'wait' in step) {
        events.add(now + ('work' in step ? exponential(step.work) : step.wait), request);
        return;
      }
      if ('take' in step) {
        if (!stationOf(step.take).take(request, now)) return;
      } else {
        const next = stationOf(step.give).give(request, now);
        if (next) events.add(now, next);
      }
    }
  };
  for (let next = events.next(); next && next.time <= seconds; next = events.next()) {
    const { time, event } = next;
    if ('kind' in event) {
      proceed(event, time);
      continue;
    }
    arrived++;
    events.add(time + exponential(1 / event.perSecond), event);
    const copy = Math.floor(random() * copies);
    proceed({ kind: event, copy, step: 0, arrivedAt: time }, time);
  }
  return {
    arrived,
    completed,
    times,
    stations: new Map([...queues].map(([name, queue]) => [name, queue.measure(seconds)])),
  };
}

class StationQueue {
  #station;
  #copies;
  #countFrom;
  /** @type {{ busy: number, waiting: Running[] }[]} */
  #state;
  #busy = 0;
  #waiting = 0;
  #changedAt = 0;
  #busySeconds = 0;
  #waitingSeconds = 0;
  #served = 0;

  /**
   * @param {Station} station
   * @param {number} copies
   * @param {number} countFrom
   */
  constructor(station, copies, countFrom) {
    this.#station = station;
    this.#copies = copies;
    this.#countFrom = countFrom;
    this.#state = Array.from({ length: copies }, () => ({ busy: 0, waiting: [] }));
  }

  /**
   * @param {Running} request
   * @param {number} now
   * @returns {boolean} false if it must wait
   */
  take(request, now) {
    this.#count(now);
    const state = this.#copyOf(request);
    if (state.busy === this.#station.servers) {
      state.waiting.push(request);
      this.#waiting++;
      return false;
    }
    state.busy++;
    this.#busy++;
    return true;
  }

  /**
   * @param {Running} request
   * @param {number} now
   * @returns {Running | undefined} the one that gets its server
   */
  give(request, now) {
    this.#count(now);
    if (now >= this.#countFrom) this.#served++;
    const state = this.#copyOf(request);
    const next = state.waiting.shift();
    if (next) this.#waiting--;
    else {
      state.busy--;
      this.#busy--;
    }
    return next;
  }

  /** @param {number} end */
  measure(end) {
    this.#count(end);
    const seconds = end - this.#countFrom;
    const busy = this.#busySeconds / seconds;
    return {
      utilisation: busy / (this.#station.servers * this.#copies),
      busy,
      waiting: this.#waitingSeconds / seconds,
      served: this.#served,
    };
  }

  /** @param {Running} request */
  #copyOf(request) {
    const state = this.#state[this.#copies === 1 ? 0 : request.copy];
    if (!state) throw new Error(`There is no copy ${request.copy}`);
    return state;
  }

  /** @param {number} now */
  #count(now) {
    const seconds = now - Math.max(this.#changedAt, this.#countFrom);
    this.#changedAt = now;
    if (seconds <= 0) return;
    this.#busySeconds += this.#busy * seconds;
    this.#waitingSeconds += this.#waiting * seconds;
  }
}

/**
 * The same numbers for the same seed, from 0 to 1 (Lehmer's generator).
 *
 * @param {number} seed
 */
function randomNumbers(seed) {
  const MODULUS = 2_147_483_647;
  let state = (seed * 7919) % MODULUS || 1;
  return () => (state = (state * 48_271) % MODULUS) / MODULUS;
}
