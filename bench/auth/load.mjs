// Asks what the benchmark tells it to, in a process of its own.
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import autocannon from 'autocannon';
import { Prover } from './proofs.mjs';

/**
 * @typedef {object} Load
 * @property {number} port
 * @property {string[]} secrets sent in turn
 * @property {import('./proofs.mjs').Signer} [signer] whose proof each request has
 * @property {number} [seconds]
 * @property {number} [amount] of requests, however long they take
 * @property {number} [connections] how many ask at once, as often as they are answered
 * @property {number} [perSecond] instead of connections: one request after the other, at fixed times
 */

const headers = { 'content-type': 'application/json' };
/** @param {string} secret */
const bodyOf = (secret) =>
  JSON.stringify({ api_key: secret, message: 'How long may customers return an order?' });

process.on('disconnect', () => process.exit());
process.on('message', (/** @type {Load} */ load) => {
  void (load.perSecond === undefined ? crowd(load) : steady(load)).then((answers) =>
    process.send?.(answers),
  );
});

/** @param {Load} load */
async function crowd({ port, secrets, signer, seconds, amount, connections = 1 }) {
  const url = `http://127.0.0.1:${port}/echo`;
  const prover = signer && new Prover(signer, url);
  const requests = secrets.map((secret) => ({ body: bodyOf(secret), ...prover?.toHooks(secret) }));
  let client = 0;
  const each = Math.floor(requests.length / connections);
  const result = await autocannon({
    url,
    method: 'POST',
    headers,
    connections,
    ...(amount === undefined ? { duration: seconds } : { amount, timeout: 60 }),
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
 * Requests at fixed times, and what their callers wait in ms. autocannon would send those of a second at its
 * beginning.
 *
 * @param {Load} load
 */
async function steady({ port, secrets, seconds = 1, perSecond = 1 }) {
  const agent = new Agent({ keepAlive: true });
  /** @type {Promise<{ status: number, wait: number }>[]} */
  const asked = [];
  const start = performance.now();
  for (let count = 0; count < seconds * perSecond; count++) {
    const early = start + (count * 1000) / perSecond - performance.now();
    if (early > 0) await setTimeout(early);
    asked.push(ask(port, secrets[count % secrets.length] ?? '', agent));
  }
  const answers = await Promise.all(asked);
  const took = (performance.now() - start) / 1000;
  agent.destroy();
  const ok = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(({ status }) => status === 401).length;
  return {
    waits: answers.map(({ wait }) => wait),
    ...{ ok, refused, failed: answers.length - ok - refused },
    perSecond: answers.length / took,
  };
}

/**
 * @param {number} port
 * @param {string} secret
 * @param {Agent} agent
 * @returns {Promise<{ status: number, wait: number }>} what it waited in ms
 */
const ask = (port, secret, agent) =>
  new Promise((resolve, reject) => {
    const start = performance.now();
    request({ port, path: '/echo', method: 'POST', headers, agent }, (response) => {
      response.resume().on('end', () => {
        resolve({ status: response.statusCode ?? 0, wait: performance.now() - start });
      });
    })
      .on('error', reject)
      .end(bodyOf(secret));
  });
