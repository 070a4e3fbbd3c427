import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EmbeddingsServer } from '../../../test/support/embeddings-server.js';
import { EndpointEmbeddings } from './endpoint-embeddings.js';

describe(EndpointEmbeddings, () => {
  let server: EmbeddingsServer;
  let embeddings: EndpointEmbeddings;
  const { signal } = new AbortController();

  beforeEach(async () => {
    server = await EmbeddingsServer.start();
    const endpoint = { baseUrl: server.url, apiKey: 'secret', timeoutMs: 10_000 };
    embeddings = new EndpointEmbeddings({ ...endpoint, model: 'synonyms' });
  });
  afterEach(() => server.stop());

  it('goes on with documents after a failure with gaps', async () => {
    server.mood = 'error';
    expect(await embeddings.embedPassages(['car'], signal, 'gaps')).toBeUndefined();
    server.mood = 'well';
    expect(await embeddings.embedPassages(['car'], signal, 'gaps')).toBeUndefined();
    expect(await embeddings.embedPassages(['car'], signal)).toHaveLength(1);
  });

  it('is not paused when nobody waits any more', async () => {
    server.mood = 'silent';
    const leaving = new AbortController();
    const vectors = embeddings.embedPassages(['car'], leaving.signal);
    leaving.abort();
    expect(await vectors).toBeUndefined();
    server.mood = 'well';
    expect(await embeddings.embedPassages(['car'], signal)).toHaveLength(1);
  });
});
