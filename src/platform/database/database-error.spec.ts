import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { causeOf, isDatabaseUnavailable } from './database-error.js';

describe(isDatabaseUnavailable.name, () => {
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
      expect(isDatabaseUnavailable(causeOf(error))).toBe(true);
    },
  );
});
