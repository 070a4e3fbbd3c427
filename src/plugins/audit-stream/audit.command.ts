import 'reflect-metadata';
import type { EntityManager } from 'typeorm';
import { AuditBatch, AuditChainHead, AuditOutboxEvent } from './audit-stream.entity.js';
import { AUDIT_LOG_KEY, headBefore, unsealed } from './seal-line.js';
import { ConfigurationError } from '../../platform/config/configuration-error.js';
import type { Config } from '../../platform/config/config.js';
import { dataSourceOptions } from '../../platform/database/data-source-options.js';
import { EngineDataSource } from '../../platform/database/engine-data-source.js';
import { insertRows } from '../../platform/database/insert-rows.js';
import { SqliteUnitOfWork } from '../../platform/database/sqlite-unit-of-work.js';
import { Peppers } from '../../platform/peppers/peppers.js';
import { runCommand } from '../../operations/command.js';

// npm run audit -- head | keys | new-chain

const ENTITIES = [AuditOutboxEvent, AuditBatch, AuditChainHead];

const USAGE = `npm run audit -- head       the last line that AUDIT_LOG has, or will have
npm run audit -- keys       the keys that lines are sealed with, for LATCHKEY_AUDIT_KEYS
npm run audit -- new-chain  begins a new chain, after a database of an earlier time was restored`;

await runCommand(async (config) => {
  switch (process.argv[2]) {
    case 'keys':
      console.log(formatKeys(config));
      return;
    case 'head':
      await printChainHead(config);
      return;
    case 'new-chain':
      await inUnitOfWork(config, beginNewChain);
      return;
    default:
      throw new ConfigurationError(USAGE);
  }
});

function formatKeys(config: Config): string {
  return Peppers.load(config)
    .derive(AUDIT_LOG_KEY)
    .map(({ pepperId, key }) => `${pepperId}:${key.export().toString('base64')}`)
    .join(',');
}

async function printChainHead(config: Config): Promise<void> {
  const dataSource = new EngineDataSource(dataSourceOptions(config, 'read', ENTITIES));
  await dataSource.initialize();
  try {
    await printHead(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

async function printHead({ manager }: EngineDataSource): Promise<void> {
  const [head] = await manager.find(AuditChainHead);
  const batches = await manager.find(AuditBatch, {
    select: { sequence: true, lastSequence: true },
  });
  const sealed = batches.reduce((sum, one) => sum + one.lastSequence - one.sequence + 1, 0);
  const waiting = sealed + (await manager.count(AuditOutboxEvent));
  console.log(head ? `${head.sequence}:${head.hash}` : 'no lines yet');
  console.error(
    `chain ${head?.chainId ?? 'not begun'}, ${waiting} events are waiting to be written`,
  );
}

/**
 * Begins a new chain. Lines that were not written become events again and get other places. It prints the
 * head of the former chain, which the database then forgets: without it nobody notices if the end of the
 * chain is cut off.
 */
async function beginNewChain(manager: EntityManager): Promise<void> {
  const [former] = await manager.find(AuditChainHead);
  // The head is deleted first, so that this waits for a service that is sealing.
  await manager.createQueryBuilder().delete().from(AuditChainHead).execute();
  const batches = await manager.find(AuditBatch, { order: { number: 'ASC' } });
  const [oldest] = batches;
  const written = oldest ? headBefore(oldest.lines) : former;
  if (former && written && written.sequence > 0) {
    console.log(`former chain ${former.chainId}, head ${written.sequence}:${written.hash}`);
  }
  for (const batch of batches) {
    const events = unsealed(batch.lines).map((event) => ({ event }));
    await insertRows(manager, AuditOutboxEvent, events);
    await manager.delete(AuditBatch, { number: batch.number });
  }
}

/** Runs `work` in a transaction, even while the service is running. */
async function inUnitOfWork(
  config: Config,
  work: (manager: EntityManager) => Promise<void>,
): Promise<void> {
  const writer = new EngineDataSource(dataSourceOptions(config, 'write', ENTITIES));
  if (config.postgres) {
    await writer.initialize();
    await writer.transaction(work).finally(() => writer.destroy());
    return;
  }
  const unitOfWork = new SqliteUnitOfWork(writer);
  await unitOfWork.onModuleInit();
  await unitOfWork.run(work).finally(() => unitOfWork.onApplicationShutdown());
}
