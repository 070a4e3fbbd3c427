// Servers that are measured in turns, and those who ask them.
import { randomBytes } from 'node:crypto';
import { nowDoing } from '../fixtures/progress.mjs';
import { fromService } from '../from-service.mjs';
import { median, quantile, scratchDirectory } from '../support.mjs';
import { Child, CLIENT_CORE, SERVER_CORE } from './child.mjs';
import { storeKeys } from './stored-keys.mjs';

export const CONNECTIONS = 64;
const WARM_UP_SECONDS = 1;
export const CALLS_PER_SECOND = 100;
export const FORGED_PER_SECOND = 1_000;

/**
 * A database with so many keys, and what a server needs to use it.
 *
 * @param {number} keys
 * @param {{ filter?: object, knowledgeBases?: number, jkt?: string }} [each]
 */
export async function stored(keys, each) {
  nowDoing(`storing ${keys.toLocaleString('en')} keys`);
  const environment = {
    NODE_ENV: 'test',
    DATA_DIR: scratchDirectory(),
    // Installing a model takes processor time.
    EMBEDDINGS: 'off',
    API_KEY_PEPPERS: `bench:${randomBytes(32).toString('base64')}`,
  };
  return { environment, ...(await storeKeys(environment, keys, each)) };
}

/**
 * @typedef {object} Contestant
 * @property {string} name
 * @property {Child} child
 * @property {number} port
 * @property {string[]} secrets
 * @property {import('./proofs.mjs').Signer} [signer] whose proof each request needs
 */

/**
 * A running server.
 *
 * @param {string} path
 * @param {string[]} parameters
 * @param {{ environment?: NodeJS.ProcessEnv, secrets?: string[] }} [keys] where it does not tell
 *   of its own
 * @returns {Promise<Contestant>}
 */
export async function contestant(path, parameters, { environment, secrets: known } = {}) {
  nowDoing(`starting ${[path, ...parameters.slice(0, 1)].join(' ')}`);
  const child = new Child(path, { core: SERVER_CORE, parameters, environment });
  const { port, secrets = known } = await child.answer();
  return { name: [path, ...parameters].join(' '), child, port, secrets };
}

/**
 * Requests per second and processor time per request of each, one at a time, in turns.
 *
 * @template {string} Name
 * @param {Record<Name, Contestant>} contestants
 * @param {{ rounds: number, seconds: number }} times seconds of each round
 */
export async function race(contestants, { rounds: count, seconds }) {
  const crowd = new Child('load.mjs', { core: CLIENT_CORE });
  const runs = entries(contestants).map(([name, contestant]) => ({
    name,
    contestant,
    rounds: /** @type {Awaited<ReturnType<typeof run>>[]} */ ([]),
  }));
  // For the compiler, and not counted.
  for (const { contestant } of runs) await run(contestant, crowd, seconds);
  for (let round = 0; round < count; round++) {
    nowDoing(`round ${round + 1} of ${count}, requests per second`);
    for (const { contestant, rounds } of runs) rounds.push(await run(contestant, crowd, seconds));
  }
  return /** @type {Record<Name, { perSecond: number, cpuMicros: number }>} */ (
    Object.fromEntries(runs.map(({ name, rounds }) => [name, medians(rounds)]))
  );
}

/**
 * @param {Contestant} contestant
 * @param {Child} crowd
 * @param {number} seconds
 */
async function run({ name, child, port, secrets, signer }, crowd, seconds) {
  const load = { port, secrets, signer, connections: CONNECTIONS };
  await crowd.ask({ ...load, seconds: WARM_UP_SECONDS });
  const before = await child.ask({});
  const { ok, refused, failed, perSecond } = await crowd.ask({ ...load, seconds });
  const after = await child.ask({});
  if (refused + failed > 0) throw new Error(`${name}: ${refused} refused, ${failed} failed`);
  return { perSecond, cpuMicros: (after.cpuMicros - before.cpuMicros) / ok };
}

/**
 * What one valid caller waits in ms, alone and beside forged keys, and how often bcrypt ran.
 *
 * @param {Contestant} guarded
 * @param {string} retired a good key that only bcrypt can tell
 * @param {{ rounds: number, seconds: number }} times seconds of each round
 */
export async function withstand({ child, port, secrets }, retired, { rounds: count, seconds }) {
  const { generateSecret } = await fromService('api-keys/secret.js');
  const forged = Array.from({ length: 10_000 }, () => generateSecret('live'));
  const caller = new Child('load.mjs', { core: CLIENT_CORE });
  // Yielding, because what the caller waits for a core is not the server's doing.
  const forger = new Child('load.mjs', { core: CLIENT_CORE, yielding: true });

  await caller.ask({ port, secrets: [retired], perSecond: 1, seconds: 1 });
  const { bcryptRuns } = await child.ask({});
  if (bcryptRuns !== 1) throw new Error(`bcrypt was counted ${bcryptRuns} times instead of once`);

  const call = async () => {
    const load = { port, secrets: secrets.slice(0, 1), perSecond: CALLS_PER_SECOND, seconds };
    const { waits, ok } = await caller.ask(load);
    if (ok < waits.length)
      throw new Error(`The valid caller was refused ${waits.length - ok} times`);
    return quantiles(waits);
  };
  /** @param {object} rate */
  const callBeside = async (rate) => {
    const flood = forger.ask({ port, secrets: forged, seconds, ...rate });
    const waits = await call();
    const { ok, failed, perSecond } = await flood;
    if (ok + failed > 0) throw new Error(`Forged keys: ${ok} let through, ${failed} failed`);
    return { ...waits, forgedPerSecond: perSecond };
  };
  const full = { connections: CONNECTIONS };
  await callBeside(full);
  const rounds = [];
  for (let round = 0; round < count; round++) {
    nowDoing(`round ${round + 1} of ${count}, beside forged keys`);
    rounds.push({
      idle: { ...(await call()), forgedPerSecond: 0 },
      some: await callBeside({ perSecond: FORGED_PER_SECOND }),
      full: await callBeside(full),
    });
  }
  const after = await child.ask({});
  return {
    idle: medians(rounds.map(({ idle }) => idle)),
    some: medians(rounds.map(({ some }) => some)),
    full: medians(rounds.map(({ full }) => full)),
    bcryptRuns: after.bcryptRuns - bcryptRuns,
  };
}

/**
 * The median of each figure.
 *
 * @template {Record<string, number>} Figures
 * @param {Figures[]} rounds
 */
export const medians = (rounds) =>
  /** @type {Figures} */ (
    Object.fromEntries(
      Object.keys(rounds[0] ?? {}).map((name) => [
        name,
        median(rounds.map((figures) => Number(figures[name]))),
      ]),
    )
  );

/** @param {number[]} values */
export const quantiles = (values) => ({ p50: quantile(values, 0.5), p99: quantile(values, 0.99) });

/**
 * @template {string} Name
 * @template Value
 * @param {Record<Name, Value>} record
 */
export const entries = (record) => /** @type {[Name, Value][]} */ (Object.entries(record));
