import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { Config } from '../platform/config/config.js';
import { dataSourceOptions } from '../platform/database/data-source-options.js';
import { EngineDataSource } from '../platform/database/engine-data-source.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { entities } from '../entities.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import { QUARTER_MS } from './quarter.js';
import { UsageCount } from './usage-count.entity.js';
import { UsageMember } from './usage-member.entity.js';
import { type UsageEvent, UsageRecorder, type UsageWriter, WritesUsage } from './usage-recorder.js';

const AT = new Date('2026-11-20T12:00:00Z');
const key = { id: 'key_1', kbId: 'kb_1', environment: 'live' } as const;
const other = { ...key, kbId: 'kb_removed' };

const query = (id: string, latencyMs: number, at = AT): UsageEvent => ({
  ...{ kind: 'query', id, key, at, latencyMs },
});
const refusal = (): UsageEvent => ({
  ...{ kind: 'refusal', key, at: AT, ip: '192.0.2.1', isKeyInactive: false, count: 1 },
});

/** Can fail before its work, or after its commit as when the connection is lost. */
class FailingUnitOfWork extends UnitOfWork {
  fail?: 'before' | 'after' | undefined;

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  protected override async transact<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const lost = () =>
      new QueryFailedError('COMMIT', [], Object.assign(new Error(), { code: 'ECONNRESET' }));
    if (this.fail === 'before') throw lost();
    const result = await this.dataSource.transaction(work);
    if (this.fail === 'after') throw lost();
    return result;
  }
}

/** Keeps what it is given; fails for a query with the id `bad`. */
@Injectable()
@WritesUsage()
class WriterOfTest implements UsageWriter {
  readonly written: UsageEvent[] = [];

  writeUsage(_: EntityManager, events: readonly UsageEvent[]): Promise<void> {
    this.written.push(...events);
    return events.some((event) => event.kind === 'query' && event.id === 'bad')
      ? Promise.reject(new Error('refused'))
      : Promise.resolve();
  }
}

describe(UsageRecorder.name, () => {
  let directory: string;
  let dataSource: DataSource;
  let unitOfWork: FailingUnitOfWork;
  let recorder: UsageRecorder;
  let writer: WriterOfTest;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'latchkey-'));
    const config = Config.fromEnvironment({ DATA_DIR: directory });
    dataSource = new EngineDataSource(dataSourceOptions(config, 'migrate', entities));
    await dataSource.initialize();
    await dataSource.runMigrations();
    await dataSource.manager.insert(KnowledgeBase, {
      ...{ id: 'kb_1', name: 'Shop', state: 'active', createdAt: AT, updatedAt: AT },
    });
    unitOfWork = new FailingUnitOfWork(dataSource);
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      providers: [UsageRecorder, WriterOfTest, { provide: UnitOfWork, useValue: unitOfWork }],
    }).compile();
    recorder = module.get(UsageRecorder);
    recorder.onModuleInit();
    writer = module.get(WriterOfTest);
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await dataSource.destroy();
    rmSync(directory, { recursive: true });
  });

  const write = () => recorder.onApplicationShutdown();
  const find = (period: UsageCount['period']) =>
    dataSource.manager.find(UsageCount, { where: { period }, order: { atMs: 'ASC' } });
  const counts = () => find('quarter');
  const requests = async () => (await find('request')).length;

  it('adds up requests by key and quarter of an hour', async () => {
    const later = new Date(AT.getTime() + QUARTER_MS);
    for (const event of [query('a', 3), query('b', 3), query('c', 900, later), refusal()]) {
      recorder.record(event);
    }
    await write();
    recorder.record(query('d', 900));
    await write();
    expect(await requests()).toBe(4);
    expect(await counts()).toMatchObject([
      {
        atMs: AT.getTime(),
        apiKeyId: 'key_1',
        environment: 'live',
        queries: 3,
        refused: 1,
        chats: 0,
      },
      { atMs: later.getTime(), queries: 1, refused: 0 },
    ]);
    expect((await counts())[0]?.latencies).toEqual(
      new Map([
        [7, 2],
        [38, 1],
      ]),
    );
  });

  it('adds up the uses of a key, and its addresses', async () => {
    const use = { kind: 'use', key, at: AT, count: 1 } as const;
    for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.1']) recorder.record({ ...use, ip });
    await write();
    expect(await counts()).toMatchObject([{ uses: 3, refused: 0, queries: 0 }]);
    const members = await dataSource.manager.find(UsageMember, { order: { member: 'ASC' } });
    expect(members).toMatchObject([
      { kind: 'address', member: '192.0.2.1', apiKeyId: 'key_1', requests: 2 },
      { kind: 'address', member: '192.0.2.2', apiKeyId: 'key_1', requests: 1 },
    ]);
  });

  it.each(['use', 'refusal'] as const)(
    'tells of the last %s of a key, also when an earlier one is answered after it',
    async (kind) => {
      const last = new Date(AT.getTime() + 1000);
      // A stream that began earlier is answered later.
      for (const at of [last, AT]) recorder.record({ ...refusal(), kind, at } as UsageEvent);
      await write();
      expect(writer.written).toMatchObject([{ kind, at: last, count: 2 }]);
    },
  );

  it('adds up refusals while the database cannot be written', async () => {
    unitOfWork.fail = 'before';
    for (let round = 0; round < 3; round++) {
      recorder.record(refusal());
      recorder.record(refusal());
      await write();
    }
    unitOfWork.fail = undefined;
    await write();
    expect(await counts()).toMatchObject([{ refused: 6 }]);
  });

  it('writes what could not be written before, once', async () => {
    recorder.record(query('a', 3));
    unitOfWork.fail = 'before';
    await write();
    recorder.record(query('b', 3));
    await write();
    expect(await requests()).toBe(0);
    unitOfWork.fail = undefined;
    await write();
    await write();
    expect(await requests()).toBe(2);
    expect(await counts()).toMatchObject([{ queries: 2 }]);
  });

  it('does not count twice when a commit has happened although it failed', async () => {
    for (const event of [query('a', 3), refusal()]) recorder.record(event);
    unitOfWork.fail = 'after';
    await write();
    unitOfWork.fail = undefined;
    await write();
    expect(await requests()).toBe(1);
    expect(await counts()).toMatchObject([{ queries: 1, refused: 1 }]);
  });

  it('leaves out knowledge bases that were removed, and keeps what comes beside them', async () => {
    recorder.record({ ...query('a', 3), key: other });
    recorder.record(query('b', 3));
    await write();
    expect(await counts()).toMatchObject([{ kbId: 'kb_1', queries: 1 }]);
  });

  it('writes the other batches when one is refused', async () => {
    recorder.record(query('bad', 3));
    await write();
    recorder.record(query('good', 3));
    await write();
    expect(await counts()).toMatchObject([{ queries: 1 }]);
  });
});
