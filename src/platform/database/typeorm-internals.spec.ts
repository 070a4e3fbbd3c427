import { afterEach, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { postgresPool, sqliteConnection } from './typeorm-internals.js';

const sqlite = () => new DataSource({ type: 'better-sqlite3', database: ':memory:' });
const postgres = () => new DataSource({ type: 'postgres', url: 'postgres://127.0.0.1/latchkey' });

describe('what TypeORM keeps inside', () => {
  const opened: { destroy?: () => Promise<void>; end?: () => Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await (one.destroy?.() ?? one.end?.());
  });

  it('is the connection of better-sqlite3, once it is open', async () => {
    const dataSource = sqlite();
    expect(() => sqliteConnection(dataSource)).toThrow('no connection of better-sqlite3');
    await dataSource.initialize();
    opened.push(dataSource);
    expect(sqliteConnection(dataSource).prepare('SELECT 1 AS one').get()).toEqual({ one: 1 });
  });

  it('is the pool of pg, in the field in which the driver declares it', () => {
    const dataSource = postgres();
    expect(() => postgresPool(dataSource)).toThrow('no pool of pg');
    const { driver } = dataSource;
    if (!(driver instanceof PostgresDriver)) throw new Error('another driver');
    const pool = new Pool();
    opened.push(pool);
    driver.master = pool;
    expect(postgresPool(dataSource)).toBe(pool);
  });

  it('is not taken from another engine', async () => {
    const dataSource = await sqlite().initialize();
    opened.push(dataSource);
    expect(() => postgresPool(dataSource)).toThrow('no pool of pg');
    expect(() => sqliteConnection(postgres())).toThrow('no connection of better-sqlite3');
  });
});
