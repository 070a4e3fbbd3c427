// A process of its own, so that an attack does not delay the process that measures: requests
// /health/live and a question, to /query or /chat, at fixed times, whether or not the answers before have come, and measures
// each from the time at which it was due. Sends a message when it is ready; `{begin: true}` begins,
// `{begin: false}` reports.
import { Buffer } from 'node:buffer';
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { clearTimeout, setTimeout } from 'node:timers';

const LIVE_INTERVAL_MS = 20;
/** An answer takes several times as long as a search. */
const QUESTION_INTERVAL_MS = { query: 25, chat: 200 };

const [url, apiKey, door] = process.argv.slice(2);
const interval = door === 'chat' ? QUESTION_INTERVAL_MS.chat : QUESTION_INTERVAL_MS.query;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const question = JSON.stringify({ api_key: apiKey, message: 'How long may an order be returned?' });

/** @type {Map<string, NodeJS.Timeout>} */
const timers = new Map();
/** @type {Promise<void>[]} */
let asked = [];
/** @type {Record<string, number[]>} */
let latencies = {};
/** @type {string[]} */
let refusals = [];

/**
 * @param {string} name
 * @param {number} interval
 * @param {() => import('node:http').ClientRequest} ask
 */
function every(name, interval, ask) {
  /** @type {number[]} */
  const times = (latencies[name] = []);
  let due = performance.now();
  const next = () => {
    // A timer that fires late has left out none.
    for (const now = performance.now(); due <= now; due += interval) {
      const since = due;
      asked.push(
        new Promise((resolve) => {
          const settle = (/** @type {string | undefined} */ refusal) => {
            times.push(performance.now() - since);
            if (refusal !== undefined) refusals.push(refusal);
            resolve();
          };
          ask()
            .on('error', (error) => settle(`${name}: ${error.message}`))
            .on('response', (response) => {
              response.resume().on('end', () => {
                settle(response.statusCode === 200 ? undefined : `${name}: ${response.statusCode}`);
              });
            });
        }),
      );
    }
    // An interval would fire a little later each time, and what is late here counts as the service's.
    timers.set(name, setTimeout(next, Math.max(0, due - performance.now())));
  };
  next();
}

process.on('disconnect', () => process.exit());
process.on('message', async (/** @type {{begin: boolean}} */ { begin }) => {
  if (begin) {
    every('live', LIVE_INTERVAL_MS, () => request(`${url}/health/live`, { agent }).end());
    every('question', interval, () =>
      request(`${url}/api/v1/${door}`, {
        agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(question),
        },
      }).end(question),
    );
    return;
  }
  for (const timer of timers.values()) clearTimeout(timer);
  await Promise.all(asked);
  process.send?.({ latencies, refusals });
  [asked, latencies, refusals] = [[], {}, []];
});
process.send?.({ ready: true });
