import { describe, expect, it } from '@jest/globals';
import { DataSource, QueryFailedError } from 'typeorm';
import { classifyFailure, LockTimeoutError, WriteQueueFullError } from './database-error.js';

const withCode = (code: string) => Object.assign(new Error('It failed'), { code });

describe(classifyFailure.name, () => {
  it.each([
    ['a lost connection', withCode('ECONNRESET'), 'away'],
    ['a driver that got no answer', new Error('Query read timeout'), 'away'],
    ['a full disk', withCode('SQLITE_FULL'), 'away'],
    ['too many waiting writes', new WriteQueueFullError(), 'away'],
    ['a transaction that the server ended', withCode('25P03'), 'away'],
    ['a statement at its time limit', withCode('57014'), 'cancelled'],
    ['a row that stays locked', new LockTimeoutError('Locked'), 'cancelled'],
    ['a deadlock', withCode('40P01'), 'conflict'],
    ['a violated constraint', withCode('23505'), undefined],
    ['an error of another kind', new Error('Unexpected end'), undefined],
    ['no error', undefined, undefined],
  ])('of %s, alone and as the cause of a query that failed', (_, error, expected) => {
    expect(classifyFailure(error)).toBe(expected);
    if (error) expect(classifyFailure(new QueryFailedError('SELECT 1', [], error))).toBe(expected);
  });

  it.each(['query', 'builder', 'runner'] as const)(
    'says so when the connection of a transaction was lost before its next statement (%s)',
    async (way) => {
      const runner = new DataSource({ type: 'postgres' }).createQueryRunner();
      // As TypeORM does when the connection is lost.
      await runner.release();
      const next = {
        query: () => runner.manager.query('SELECT 1'),
        builder: () =>
          runner.manager.createQueryBuilder().select('1').from('kbs', 'k').getRawMany(),
        runner: () => runner.query('SELECT 1'),
      }[way];
      const error: unknown = await next().then(
        () => undefined,
        (failure: unknown) => failure,
      );
      expect(classifyFailure(error)).toBe('away');
    },
  );
});
