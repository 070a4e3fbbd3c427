// Asks what the benchmark tells it to, in a process of its own.
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import autocannon from 'autocannon';

/**
 * @typedef {object} Load
 * @property {number} port
 * @property {string[]} secrets sent in turn
 * @property {number} [seconds]
 * @property {number} [amount] of requests, however long they take
 * @property {number} [connections] how many ask at once, as often as they are answered
 * @property {number} [perSecond] at most; alone, one connection asks this often
 */

const headers = { 'content-type': 'application/json' };
/** @param {string} secret */
const bodyOf = (secret) =>
  JSON.stringify({ api_key: secret, message: 'How long may customers return an order?' });

process.on('disconnect', () => process.exit());
process.on('message', (/** @type {Load} */ load) => {
  void (load.connections === undefined ? steady(load) : crowd(load)).then((answers) =>
    process.send?.(answers),
  );
});

/** @param {Load} load */
async function crowd({ port, secrets, seconds, amount, connections = 1, perSecond }) {
  const requests = secrets.map((secret) => ({ body: bodyOf(secret) }));
  let client = 0;
  const each = Math.floor(requests.length / connections);
  const result = await autocannon({
    url: `http://127.0.0.1:${port}/echo`,
    method: 'POST',
    headers,
    connections,
    ...(amount === undefined ? { duration: seconds } : { amount, timeout: 60 }),
    ...(perSecond && { overallRate: perSecond }),
    // Each has its own, so that they do not ask with the same key at the same time.
    setupClient: (one) => {
      const start = client++ * each;
      one.setRequests(requests.slice(start, start + each));
    },
  });
  return {
    ok: result['2xx'],
    refused: result['4xx'],
    failed: result['5xx'] + result.errors + result.timeouts,
    perSecond: (result['2xx'] + result['4xx']) / result.duration,
  };
}

/**
 * One caller that asks at fixed times, and what it waits in ms.
 *
 * @param {Load} load
 */
async function steady({ port, secrets, seconds = 1, perSecond = 1 }) {
  const agent = new Agent({ keepAlive: true });
  const [secret = ''] = secrets;
  /** @type {number[]} */
  const waits = [];
  const asked = [];
  const start = performance.now();
  for (let count = 0; count < seconds * perSecond; count++) {
    await setTimeout(Math.max(0, start + (count * 1000) / perSecond - performance.now()));
    asked.push(ask(port, secret, agent).then((wait) => waits.push(wait)));
  }
  await Promise.all(asked);
  agent.destroy();
  return { waits };
}

/**
 * @param {number} port
 * @param {string} secret
 * @param {Agent} agent
 * @returns {Promise<number>} ms
 */
const ask = (port, secret, agent) =>
  new Promise((resolve, reject) => {
    const start = performance.now();
    request({ port, path: '/echo', method: 'POST', headers, agent }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - start);
        else reject(new Error(`The valid caller was answered ${response.statusCode}`));
      });
    })
      .on('error', reject)
      .end(bodyOf(secret));
  });
