import { existsSync } from 'node:fs';
import { Redis } from 'ioredis';
import { ConfigurationError } from '../config/configuration-error.js';
import { dataSourceOptions, sqliteFile } from '../database/data-source-options.js';
import { EngineDataSource } from '../database/engine-data-source.js';
import { asStartProblem } from '../database/start-problem.js';
import { type Check, ok, problem } from './finding.js';

const REDIS_TIMEOUT_MS = 5000;

export const checkDatabase: Check = async (config) => {
  if (!config.postgres && !existsSync(sqliteFile(config))) {
    return [ok('There is no database yet: the first start makes it.')];
  }
  const dataSource = new EngineDataSource(dataSourceOptions(config, 'read'));
  try {
    await dataSource.initialize();
    await dataSource.query('SELECT 1');
    return [ok('The database answers.')];
  } catch (error) {
    const cause = asStartProblem(error, config);
    const known = cause instanceof ConfigurationError;
    return [problem(known ? cause.message : 'The database cannot be used.')];
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
};

export const checkRedis: Check = async ({ redisUrl }) => {
  if (redisUrl === undefined) return [];
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: REDIS_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // The failed call rejects; an `error` event without a listener would be thrown as well.
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.ping();
    return [ok('Redis answers.')];
  } catch {
    return [problem('Redis at REDIS_URL does not answer: limits are counted without it.')];
  } finally {
    redis.disconnect();
  }
};
