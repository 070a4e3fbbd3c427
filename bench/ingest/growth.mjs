import { setTimeout as pause } from 'node:timers/promises';
import { median, round, startService } from '../support.mjs';
import { fill } from './fill.mjs';
import { addDocuments, DOCUMENTS, ROUNDS, SMALL_WORDS, words } from './load.mjs';

/** @typedef {import('../support.mjs').Service} Service */

/** Documents that a knowledge base has when the measured ones are added. */
const SIZES = [100, 10_000, 100_000];
export const FILLED_WORDS = 40;
export const MAX_SLOWDOWN = 0.2;

/**
 * How fast documents are added to knowledge bases of different sizes.
 *
 * @param {string} engine
 * @param {NodeJS.ProcessEnv} environment
 */
export async function measureGrowth(engine, environment) {
  const empty = await startService(environment);
  const knowledgeBases = [];
  for (const size of SIZES) {
    const { id } = await empty.call('POST', '/kbs', { name: `${size} documents` });
    const { api_key: key } = await empty.call('POST', `/kbs/${id}/api-keys`, {
      name: 'Benchmark',
      environment: 'test',
    });
    knowledgeBases.push({ id, key, size, rounds: /** @type {Round[]} */ ([]) });
  }
  await empty.stop();
  for (const { id, size } of knowledgeBases) {
    let number = 0;
    await fill(empty.environment, id, size, () => `${words(FILLED_WORDS)} filled${++number}.`);
  }
  const service = await startService(empty.environment);
  try {
    for (const { key, size } of knowledgeBases) await untilIndexed(service, key, size);
    // The first round warms up.
    for (let turn = 0; turn <= ROUNDS; turn++) {
      for (const { id, rounds } of knowledgeBases) {
        const round = await addDocuments(service, id, () => ({ text: words(SMALL_WORDS) }));
        if (turn > 0) rounds.push(round);
      }
    }
  } finally {
    await service.stop();
  }
  const speeds = knowledgeBases.map(({ rounds }) =>
    median(rounds.map(({ seconds }) => DOCUMENTS / seconds)),
  );
  return knowledgeBases.map(({ size, rounds }, index) => {
    const relative = Number(speeds[index]) / Number(speeds[0]);
    return {
      engine,
      'documents before': size,
      'documents/s': round(Number(speeds[index]), 1),
      'CPU ms per document': round(median(rounds.map(({ cpu }) => (1000 * cpu) / DOCUMENTS)), 1),
      relative: round(relative),
      verdict: relative >= 1 - MAX_SLOWDOWN ? 'met' : 'missed',
    };
  });
}

/** @typedef {{ seconds: number, cpu: number }} Round */

/**
 * Waits until the service has indexed what it was filled with, in the order of the documents.
 *
 * @param {Service} service
 * @param {string} key
 * @param {number} size
 */
async function untilIndexed(service, key, size) {
  const isFound = async (/** @type {number} */ number) => {
    const body = { api_key: key, message: `filled${number}`, top_k: 1 };
    const [best] = (await service.call('POST', '/query', body)).results;
    return best?.text.endsWith(` filled${number}.`) === true;
  };
  const spread = Array.from({ length: 20 }, (_, n) => 1 + Math.floor((n * (size - 1)) / 19));
  for (const number of spread) while (!(await isFound(number))) await pause(1000);
}
