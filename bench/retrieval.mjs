// How well questions find their passages, on public test collections, and how long that takes.
import { startPostgres } from '../test/support/postgres.mjs';
import {
  addCollection,
  COLLECTIONS,
  corrupt,
  CORRUPTED_WORDS,
  gain,
  generator,
  readCollection,
} from './fixtures/collections.mjs';
import { startSearchEngine } from './fixtures/search-engine.mjs';
import { DATA } from './fixtures/text.mjs';
import { databaseOf, ENGINES, measureSpeed, NOTES } from './retrieval/speed.mjs';
import { report, round, startService } from './support.mjs';

/** @typedef {import('./support.mjs').Service} Service */

const MIN_NDCG = 0.63;
const MIN_CORRUPTED = 0.9;
const RESULTS = 30;

export default async function retrieval() {
  const searchEngine = await startSearchEngine();
  if (searchEngine === 'skipped') return;
  const place = searchEngine ? ', in OpenSearch' : '';
  const { url: serverUrl, server, directory } = await startPostgres();
  try {
    /** @type {Record<string, Record<string, string | number>[]>} */
    const tables = {};
    if (process.argv.includes('--speed')) {
      console.warn('SKIPPED: nDCG@10, by --speed');
    } else if (DATA !== undefined) {
      tables[`nDCG@10${place}`] = await measureQuality(serverUrl, searchEngine?.environment);
    } else {
      console.warn('SKIPPED: RETRIEVAL_DATA names no folder of test collections');
    }
    const { latencies, restricted, health, moved } = await measureSpeed(
      serverUrl,
      directory,
      { EMBEDDINGS: 'off' },
      searchEngine,
    );
    tables[`Time for a question${place}`] = latencies;
    tables[`Time for a question that sees a part${place}`] = restricted;
    tables[`/health/live while searches saturate the service${place}`] = health;
    if (searchEngine) tables['Words moved to OpenSearch'] = moved;
    report('retrieval', {
      notes: [
        `nDCG@10 by document over ${RESULTS} passages; corrupted: ${CORRUPTED_WORDS * 100} % of the content words of a question have one letter left out, put in, replaced or swapped, always the same`,
        ...NOTES,
      ],
      tables,
    });
  } finally {
    await server.stop();
    await searchEngine?.stop();
  }
}

/**
 * @param {string} serverUrl
 * @param {NodeJS.ProcessEnv} [environment]
 */
async function measureQuality(serverUrl, environment) {
  /** @type {Record<string, string | number>[]} */
  const rows = [];
  for (const engine of ENGINES) {
    const service = await startService({
      ...(await databaseOf(engine, serverUrl)),
      EMBEDDINGS: 'off',
      ...environment,
    });
    /** @type {{ clean: number, corrupted: number }[]} */
    const scores = [];
    for (const name of COLLECTIONS) {
      const { clean, corrupted, perSecond } = await evaluate(service, name);
      scores.push({ clean, corrupted });
      rows.push({
        engine,
        collection: name,
        clean: round(clean, 4),
        corrupted: round(corrupted, 4),
        'documents/s': round(perSecond, 0),
        verdict: '',
      });
    }
    await service.stop();
    const mean = (/** @type {'clean' | 'corrupted'} */ which) =>
      scores.reduce((sum, score) => sum + score[which], 0) / scores.length;
    const [clean, corrupted] = [mean('clean'), mean('corrupted')];
    rows.push({
      engine,
      collection: 'mean',
      clean: round(clean, 4),
      corrupted: round(corrupted, 4),
      'documents/s': '',
      verdict: clean >= MIN_NDCG && corrupted >= MIN_CORRUPTED * clean ? 'met' : 'missed',
    });
  }
  return rows;
}

/**
 * @param {Service} service
 * @param {string} name of the collection
 */
async function evaluate(service, name) {
  const { corpus, relevant, questions } = readCollection(name);
  const { id, key, seconds } = await addCollection(service, name, corpus);
  const ndcg = async (/** @type {(text: string) => string} */ change) => {
    let sum = 0;
    for (const question of questions) {
      const wanted = relevant.get(question.id) ?? new Set();
      sum += gain(await documentsFor(service, key, change(question.text)), wanted);
    }
    return sum / questions.length;
  };
  const clean = await ndcg((text) => text);
  const random = generator(name.length);
  const corrupted = await ndcg((text) => corrupt(text, random));
  await service.call('DELETE', `/kbs/${id}`);
  return { clean, corrupted, perSecond: corpus.length / seconds };
}

/**
 * @param {Service} service
 * @param {string} key
 * @param {string} message
 * @returns {Promise<string[]>} the ten best documents
 */
async function documentsFor(service, key, message) {
  const body = { api_key: key, message: message.slice(0, 8000), top_k: RESULTS };
  const { results } = await service.call('POST', '/query', body);
  const ids = results.map((/** @type {{ external_id: string }} */ one) => one.external_id);
  return /** @type {string[]} */ ([...new Set(ids)]).slice(0, 10);
}
