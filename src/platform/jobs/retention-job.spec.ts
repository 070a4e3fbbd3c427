import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { getDataSourceToken } from '@nestjs/typeorm';
import { DataSource, Entity } from 'typeorm';
import { entities } from '../../entities.js';
import { Config } from '../config/config.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { EngineDataSource } from '../database/engine-data-source.js';
import { SqliteUnitOfWork } from '../database/sqlite-unit-of-work.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { IdempotencyRecord } from '../idempotency/idempotency-record.entity.js';
import { Metrics } from '../metrics/metrics.js';
import { retainedTables, HOUR_MS, Retained } from './retention.js';
import { RetentionJob } from './retention-job.js';

describe(RetentionJob.name, () => {
  let directory: string;
  let config: Config;
  let dataSource: DataSource;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'latchkey-'));
    config = Config.fromEnvironment({ DATA_DIR: directory });
    dataSource = new EngineDataSource(dataSourceOptions(config, 'migrate', entities));
    await dataSource.initialize();
    await dataSource.runMigrations();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await dataSource.destroy();
    rmSync(directory, { recursive: true });
  });

  /** @returns the metrics after the first round */
  async function start(): Promise<string> {
    @Module({
      imports: [DiscoveryModule],
      providers: [
        ...[RetentionJob, Metrics],
        { provide: Config, useValue: config },
        { provide: getDataSourceToken(), useValue: dataSource },
        {
          provide: UnitOfWork,
          useValue: new SqliteUnitOfWork(
            new EngineDataSource(dataSourceOptions(config, 'write', entities)),
          ),
        },
      ],
    })
    class TestedModule {}
    const module = await Test.createTestingModule({ imports: [TestedModule] }).compile();
    try {
      await module.init();
      const round = {
        ...{ signal: new AbortController().signal, begin: () => undefined },
        mayContinue: () => Promise.resolve(true),
        now: () => Promise.resolve(new Date()),
      };
      await module.get(RetentionJob).removeExpired(round);
      return await module.get(Metrics).registry.metrics();
    } finally {
      await module.close();
    }
  }

  const record = (id: string, ageMs: number) =>
    dataSource.manager.insert(IdempotencyRecord, {
      ...{ id, fingerprint: '', answer: {} },
      createdAt: new Date(Date.now() - ageMs),
    });

  it('deletes the rows of declared tables whose time is over, and counts them', async () => {
    await record('old', 25 * HOUR_MS);
    await record('older', 48 * HOUR_MS);
    await record('new', 23 * HOUR_MS);
    const metrics = await start();
    const left = await dataSource.manager.find(IdempotencyRecord);
    expect(left.map(({ id }) => id)).toEqual(['new']);
    expect(metrics).toContain('latchkey_retention_removed_total{name="idempotency_records"} 2\n');
  });

  it('goes on with the others when one fails, and fails', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const [first = {}] = retainedTables.keys();
    const retention = retainedTables.get(first);
    retainedTables.set(first, { condition: 'no_column < :before', period: HOUR_MS });
    await record('old', 25 * HOUR_MS);
    try {
      await expect(start()).rejects.toThrow('Some expired rows could not be removed');
      expect(await dataSource.manager.find(IdempotencyRecord)).toEqual([]);
      expect(logged).toHaveBeenCalledTimes(1);
    } finally {
      if (retention) retainedTables.set(first, retention);
    }
  });

  it('refuses to start with a table that the data source does not have', async () => {
    @Entity('forgotten')
    @Retained({ condition: 'at < :before', period: HOUR_MS })
    class ForgottenTable {}
    try {
      await expect(start()).rejects.toThrow('ForgottenTable is declared, but no table');
    } finally {
      retainedTables.delete(ForgottenTable);
    }
  });
});
