import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { EndpointFailures } from './endpoint-failures.js';

describe(EndpointFailures, () => {
  const log = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  let failures: EndpointFailures;

  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
    const endpoint = { baseUrl: 'https://models.example.com/v1', variables: 'RERANK' } as const;
    failures = new EndpointFailures('Reranker', 'No reranking', endpoint);
  });
  afterEach(() => {
    jest.useRealTimers();
    log.mockClear();
  });

  it('pauses one kind of request for ten seconds, and no other', () => {
    failures.pause('one');
    expect([failures.isPaused('one'), failures.isPaused('other')]).toEqual([true, false]);
    jest.advanceTimersByTime(9000);
    failures.pause('other');
    jest.advanceTimersByTime(1000);
    expect([failures.isPaused('one'), failures.isPaused('other')]).toEqual([false, true]);
  });

  it('pauses again after another failure', () => {
    failures.pause('one');
    failures.pause('other');
    jest.advanceTimersByTime(10_000);
    failures.pause('one');
    expect([failures.isPaused('one'), failures.isPaused('other')]).toEqual([true, false]);
  });

  it('logs one failure a minute', () => {
    for (let count = 0; count < 3; count++) failures.warn(new Error('failed'));
    expect(log.mock.calls).toEqual([
      ['No reranking: models.example.com does not give a complete answer'],
    ]);
    jest.advanceTimersByTime(60_000);
    failures.warn(new Error('failed'));
    expect(log).toHaveBeenCalledTimes(2);
  });
});
