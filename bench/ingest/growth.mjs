import { startFilled } from '../fixtures/fill.mjs';
import { median, round } from '../support.mjs';
import { addDocuments, DOCUMENTS, ROUNDS, SMALL_WORDS, words } from './load.mjs';

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
  const filled = await startFilled(environment, SIZES, () => [words(FILLED_WORDS)]);
  const { service } = filled;
  const knowledgeBases = filled.knowledgeBases.map((one) => ({
    ...one,
    rounds: /** @type {Round[]} */ ([]),
  }));
  try {
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
