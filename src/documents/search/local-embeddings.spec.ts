import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { WorkerPool } from '../../platform/jobs/worker-pool.js';
import { LocalEmbeddings } from './local-embeddings.js';
import type { LocalModelRequest } from './local-model.worker.js';

const VECTOR = Float32Array.of(1, 0);
const TENANT = { userId: 'user', kbId: 'kb' };

describe(LocalEmbeddings, () => {
  let fails: (text: string) => boolean;
  let embeddings: LocalEmbeddings;

  beforeEach(async () => {
    fails = () => false;
    jest.spyOn(WorkerPool.prototype, 'run').mockImplementation((task: unknown) => {
      const request = task as LocalModelRequest;
      if ('describe' in request) return Promise.resolve({ hash: 'hash', file: 'model.onnx' });
      if ('end' in request) return Promise.resolve({ vector: undefined });
      return fails(request.text)
        ? Promise.reject(new Error('The thread ended'))
        : Promise.resolve({ vector: VECTOR });
    });
    embeddings = await LocalEmbeddings.load('model', 1000);
  });
  afterEach(() => embeddings.close());

  it('has a problem once the thread makes no vector of any text, until it makes one', async () => {
    fails = () => true;
    expect(await embeddings.embedQuestion('car', TENANT)).toBeUndefined();
    expect(embeddings.problem).toBe('The thread ended');
    fails = () => false;
    expect(await embeddings.embedQuestion('car', TENANT)).toEqual(VECTOR);
    expect(embeddings.problem).toBeUndefined();
  });

  it('has none where one text alone is the cause', async () => {
    fails = (text) => text === 'bad';
    const { signal } = new AbortController();
    expect(await embeddings.embedPassages(['bad', 'good'], signal)).toEqual([undefined, VECTOR]);
    expect(await embeddings.embedQuestion('bad', TENANT)).toBeUndefined();
    expect(embeddings.problem).toBeUndefined();
  });

  it('embeds sentences until the time of the question is over', async () => {
    const slow = await LocalEmbeddings.load('model', 20);
    const texts = ['one', 'other'];
    expect(await slow.embedSentences(texts, TENANT)).toEqual([VECTOR, VECTOR]);
    expect(await slow.embedSentences(texts, TENANT, AbortSignal.abort())).toEqual([]);
    const ended = Promise.withResolvers<object>();
    jest.spyOn(WorkerPool.prototype, 'run').mockReturnValue(ended.promise);
    expect(await slow.embedSentences(texts, TENANT)).toHaveLength(1);
    ended.resolve({ vector: VECTOR });
    await slow.close();
  });

  it('ends its thread when that has done with the model', async () => {
    const destroy = jest.spyOn(WorkerPool.prototype, 'destroy');
    const ended = Promise.withResolvers<object>();
    const run = jest.spyOn(WorkerPool.prototype, 'run').mockReturnValue(ended.promise);
    const closed = embeddings.close();
    expect(run).toHaveBeenLastCalledWith({ end: true });
    expect(destroy).not.toHaveBeenCalled();
    ended.resolve({ vector: undefined });
    await closed;
    expect(destroy).toHaveBeenCalledTimes(1);
  });
});
