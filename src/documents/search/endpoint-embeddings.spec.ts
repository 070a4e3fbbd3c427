import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EmbeddingsServer } from '../../../test/support/embeddings-server.js';
import { EndpointEmbeddings } from './endpoint-embeddings.js';

describe(EndpointEmbeddings, () => {
  let server: EmbeddingsServer;
  let embeddings: EndpointEmbeddings;
  const create = (timeoutMs: number) =>
    new EndpointEmbeddings({ baseUrl: server.url, apiKey: 'secret', timeoutMs, model: 'synonyms' });
  const { signal } = new AbortController();

  beforeEach(async () => {
    server = await EmbeddingsServer.start();
    embeddings = create(10_000);
  });
  afterEach(() => server.stop());

  it.each(['error', 'nonsense', 'silent'] as const)(
    'has no vector of a question, and does not ask again for a while: %s',
    async (mood) => {
      server.mood = mood;
      if (mood === 'silent') embeddings = create(50);
      for (let n = 0; n < 2; n++) expect(await embeddings.embedQuestion('car')).toBeUndefined();
      expect(server.requests).toEqual([['car']]);
    },
  );

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
