import { describe, expect, it } from '@jest/globals';
import { listFailures, tolerant } from '@latchkey/text/failures';
import { unwrapResult, serializeErrors } from './worker-answer.js';

/** As between threads. */
const answerTo = async (work: () => unknown) => structuredClone(await serializeErrors(work)({}));

describe(serializeErrors.name, () => {
  it('gives what the task gives', async () => {
    expect(unwrapResult(await answerTo(() => [1]))).toEqual([1]);
    expect(unwrapResult(await answerTo(() => undefined))).toBeUndefined();
  });

  it('gives the code, name, message and stack of an error back', async () => {
    const lost = Object.assign(new RangeError('Lost'), { code: '08006' });
    const answer = await answerTo(() => {
      throw lost;
    });
    const { name, message, stack } = lost;
    expect(() => unwrapResult(answer)).toThrow(
      expect.objectContaining({ code: '08006', name, message, stack }),
    );
  });

  it('gives what failed in the thread without failing the task, once', async () => {
    const stem = tolerant(
      'stemmer',
      () => {
        throw new TypeError('A mistake');
      },
      (word: string) => word,
      'bg',
    );
    const answer = await answerTo(() => stem('времени'));
    expect(answer.failures).toEqual([{ kind: 'stemmer', language: 'bg', count: 1 }]);
    expect((await answerTo(() => undefined)).failures).toEqual([]);
    expect(unwrapResult(answer)).toBe('времени');
    unwrapResult(answer);
    expect(listFailures()).toEqual([{ kind: 'stemmer', language: 'bg', count: 2 }]);
  });

  it('throws an error without a code', async () => {
    const failing = answerTo(() => {
      throw new TypeError('A mistake');
    });
    await expect(failing).rejects.toThrow(TypeError);
  });
});
