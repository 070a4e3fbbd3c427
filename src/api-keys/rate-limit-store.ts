import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import type { QueryConfig } from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
} from 'rate-limiter-flexible';
import type { DataSource } from 'typeorm';
import type { Config } from '../platform/config/config.js';
import { isPooled } from '../platform/database/topology/pooler.js';
import { postgresPool } from '../platform/database/typeorm-internals.js';
import { RareWarning } from '../platform/telemetry/rare-warning.js';

const REDIS_CONNECT_TIMEOUT_MS = 1000;

export interface RateLimitStore {
  readonly counter: RateLimiterAbstract;
  close(): void;
}

/**
 * Counts requests across all processes of the service: in Redis if it is configured, else in PostgreSQL,
 * else in memory. While Redis is unavailable, the next of these counts, starting at 0: within one window a
 * key may make up to twice as many requests as its limit, but no key is locked out.
 */
export async function openRateLimitStore(
  config: Config,
  dataSource: DataSource,
  windowSeconds: number,
): Promise<RateLimitStore> {
  const options = {
    keyPrefix: 'rate',
    // Each key has its own limit, which RateLimiter compares with the count.
    points: Number.MAX_SAFE_INTEGER,
    duration: windowSeconds,
  };
  const counter = withoutRedis();
  if (config.REDIS_URL === undefined) return { counter, close: () => undefined };
  const redis = await connect(config.REDIS_URL, config.REDIS_TIMEOUT_MS);
  return {
    counter: new RateLimiterRedis({
      ...options,
      storeClient: redis,
      rejectIfRedisNotReady: true,
      insuranceLimiter: counter,
    }),
    close: () => {
      redis.disconnect();
    },
  };

  function withoutRedis(): RateLimiterAbstract {
    if (config.postgres) {
      const pool = postgresPool(dataSource);
      return new RateLimiterPostgres({
        ...options,
        // The library names its statements, which statementName() forbids behind a pooler.
        storeClient: isPooled(pool)
          ? { query: ({ text, values }: QueryConfig) => pool.query(text, values) }
          : pool,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        // EndedRateLimits deletes expired counts.
        clearExpiredByTimeout: false,
      });
    }
    return new RateLimiterMemory(options);
  }
}

async function connect(url: string, timeoutMs: number): Promise<Redis> {
  const { Redis } = await import('ioredis');
  const warning = new RareWarning(new Logger('RateLimiter'));
  const redis = new Redis(url, {
    connectTimeout: REDIS_CONNECT_TIMEOUT_MS,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    // Commands fail at once instead of waiting for Redis.
    enableOfflineQueue: false,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  });
  redis.on('error', ({ message }: Error) => {
    warning.log(`Redis unavailable; rate limits are counted without it: ${message}`);
  });
  return redis;
}
