import { setTimeout as pause } from 'node:timers/promises';
import { GATEWAY_SECRET } from '../../test/support/hosts/deployment.mjs';

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {any} body
 */

/** How the requests of one kind went: answers by outcome, and how long those with a 2xx took. */
export class Tally {
  /** @type {Record<string, number>} */
  outcomes = {};
  /** @type {number[]} */
  latencies = [];

  /** @param {string} outcome */
  add(outcome) {
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
  }

  /** @param {RegExp} pattern */
  count(pattern) {
    return Object.entries(this.outcomes)
      .filter(([outcome]) => pattern.test(outcome))
      .reduce((sum, [, count]) => sum + count, 0);
  }
}

/** A client that does what a 503 with `Retry-After` asks for, and counts what it gets. */
export class ServiceClient {
  /** @type {Map<string, Tally>} by kind of request */
  tallies = new Map();

  /**
   * @param {string} url
   * @param {AbortSignal} signal ends repetitions
   */
  constructor(url, signal) {
    this.url = url;
    this.signal = signal;
  }

  /**
   * Repeats the request until it is answered with something else than a 503.
   *
   * @param {string} kind for the tally
   * @param {string} method
   * @param {string} path below /api/v1
   * @param {unknown} [body]
   * @param {Record<string, string>} [headers]
   * @returns {Promise<Answer | undefined>} undefined when the soak is over
   */
  async send(kind, method, path, body, headers) {
    const tally = this.#tally(kind);
    while (!this.signal.aborted) {
      const begun = performance.now();
      const answer = await this.once(method, path, body, headers);
      tally.add(answer.outcome);
      if (answer.status < 500) {
        tally.latencies.push(performance.now() - begun);
        return answer;
      }
      await pause(1000 * (answer.retryAfter ?? 1));
    }
    return undefined;
  }

  /**
   * @param {string} method
   * @param {string} path below /api/v1
   * @param {unknown} [body]
   * @param {Record<string, string>} [headers]
   * @returns {Promise<Answer & { outcome: string, retryAfter: number | undefined }>}
   */
  async once(method, path, body, headers = {}) {
    let response;
    let text;
    try {
      response = await fetch(`${this.url}/api/v1${path}`, {
        method,
        headers: {
          cookie: 'session=soak',
          'x-idp-user-id': 'soak',
          'x-gateway-secret': GATEWAY_SECRET,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { status: 599, body: {}, outcome: `no answer: ${message}`, retryAfter: undefined };
    }
    const parsed = /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : {};
    const { status } = response;
    const retryAfter = Number(response.headers.get('retry-after')) || undefined;
    const code = status < 400 ? '' : ` ${parsed.code}`;
    const advice = status === 503 && retryAfter === undefined ? ' without Retry-After' : '';
    return { status, body: parsed, outcome: `${status}${code}${advice}`, retryAfter };
  }

  /** @param {string} kind */
  #tally(kind) {
    const tally = this.tallies.get(kind) ?? new Tally();
    this.tallies.set(kind, tally);
    return tally;
  }
}
