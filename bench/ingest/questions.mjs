import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { startFilled } from '../fixtures/fill.mjs';
import { median, quantile, round } from '../support.mjs';
import { uploadFile, words } from './load.mjs';

const PASSAGES = 1000;
const WORDS = 60;
const MEASURED_MS = 8000;
const ROUNDS = 5;
/** How many documents are always being read or waiting to be. */
const DOCUMENTS_AT_ONCE = 3;
export const MAX_RATIO = 2;

/**
 * How long questions take while large documents are read, against idle.
 *
 * @param {string} engine
 * @param {NodeJS.ProcessEnv} environment
 * @param {() => Uint8Array} file a large document, another one each time
 */
export async function measureQuestions(engine, environment, file) {
  const { service, knowledgeBases } = await startFilled(
    environment,
    [PASSAGES],
    (number) => [`${words(WORDS)}${number % 10 === 0 ? ' An order may be returned.' : ''}`],
    { environment: 'live', rate_limit_per_minute: 1_000_000 },
  );
  const bystander = fork(new URL('../../test/support/bystander.mjs', import.meta.url), [
    service.url,
    String(knowledgeBases[0]?.key),
  ]);
  try {
    await once(bystander, 'message');
    const measure = async () => {
      bystander.send({ begin: true });
      await pause(MEASURED_MS);
      bystander.send({ begin: false });
      const [{ latencies, refusals }] = await once(bystander, 'message');
      if (refusals.length > 0) throw new Error(`Refused: ${refusals[0]}`);
      return quantile(latencies.query, 0.99);
    };
    await measure();
    const rounds = [];
    for (let turn = 0; turn < ROUNDS; turn++) {
      const idle = await measure();
      const reading = readOnAndOn(service, file);
      await reading.begun;
      const busy = await measure();
      await reading.end();
      rounds.push({ idle, busy });
    }
    const ratio = median(rounds.map(({ idle, busy }) => busy / idle));
    return {
      engine,
      'idle p99 ms': round(median(rounds.map(({ idle }) => idle)), 1),
      'while reading p99 ms': round(median(rounds.map(({ busy }) => busy)), 1),
      ratio: round(ratio),
      verdict: ratio <= MAX_RATIO ? 'met' : 'missed',
    };
  } finally {
    bystander.disconnect();
    await service.stop();
  }
}

/**
 * Keeps some large documents in work until its end.
 *
 * @param {import('../support.mjs').Service} service
 * @param {() => Uint8Array} file
 */
function readOnAndOn(service, file) {
  let isOver = false;
  const one = async () => {
    const kb = await service.call('POST', '/kbs', { name: 'Large documents' });
    const { id } = await uploadFile(service, kb.id, file());
    return async () => {
      for (;;) {
        const { status } = await service.call('GET', `/documents/${id}`);
        if (status === 'ready') return;
        if (status === 'failed') throw new Error('A large document could not be read');
        await pause(250);
      }
    };
  };
  const first = Promise.all(Array.from({ length: DOCUMENTS_AT_ONCE }, one));
  const all = first.then((waits) =>
    Promise.all(
      waits.map(async (wait) => {
        await wait();
        while (!isOver) await (await one())();
      }),
    ),
  );
  return {
    begun: first,
    end: async () => {
      isOver = true;
      await all;
    },
  };
}
