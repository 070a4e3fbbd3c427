// A question by words and by meaning, in knowledge bases of all sizes: the same as `retrieval`, with vectors.
import { LocalModel } from '@latchkey/embeddings/local-model';
import { startPostgres } from '../test/support/postgres.mjs';
import { startSearchEngine } from './fixtures/search-engine.mjs';
import { fillVectors } from './fixtures/vectors.mjs';
import { measureRecall } from './retrieval/recall.mjs';
import { measureSpeed, NOTES } from './retrieval/speed.mjs';
import { report } from './support.mjs';

export default async function hybrid() {
  const path = process.env['EMBEDDINGS_MODEL_PATH'];
  if (path === undefined) {
    console.warn('SKIPPED: EMBEDDINGS_MODEL_PATH names no model');
    return;
  }
  const model = await LocalModel.load(path);
  const dimension = (await model.embed('text', 'passages'))?.length ?? 0;
  const searchEngine = await startSearchEngine();
  if (searchEngine === 'skipped') return;
  const place = searchEngine ? ', in OpenSearch' : '';
  // Of the codes, which a search engine takes the place of.
  const recall = searchEngine ? [] : await measureRecall(model);
  const { url, server, directory } = await startPostgres();
  try {
    const { latencies, restricted, moved } = await measureSpeed(
      url,
      directory,
      { EMBEDDINGS: 'local', EMBEDDINGS_MODEL_PATH: path, EMBEDDINGS_TIMEOUT_MS: '10000' },
      searchEngine,
      (environment) => fillVectors(environment, `onnx:${model.hash}`, dimension),
    );
    report('hybrid', {
      notes: [
        ...NOTES,
        'with the vector of each question made by the model, of which there are two where the message has more than what it asks',
        `nearest: of the ten passages nearest by their vectors, the share that is among those compared, which are those with the nearest codes; passages of the test collections, with vectors made by the model`,
        'the vectors of passages are otherwise random, two of windows for each: they cost as much as real ones',
      ],
      tables: {
        [`Time for a question by words and meaning${place}`]: latencies,
        [`Time for a question by both that sees a part${place}`]: restricted,
        ...(searchEngine
          ? { 'Words and vectors moved to OpenSearch': moved }
          : { 'Ten nearest among those compared': recall }),
      },
    });
  } finally {
    await server.stop();
    await searchEngine?.stop();
  }
}
