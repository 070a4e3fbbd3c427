import 'reflect-metadata';
import { entities } from '../entities.js';
import {
  AuditBatch,
  AuditChainHead,
  AuditOutboxEvent,
} from '../knowledge-bases/audit/stream/audit-stream.entity.js';
import { AUDIT_LOG_KEY } from '../knowledge-bases/audit/stream/seal-line.js';
import { ConfigurationError } from '../platform/config/configuration-error.js';
import type { Config } from '../platform/config/config.js';
import { dataSourceOptions } from '../platform/database/data-source-options.js';
import { EngineDataSource } from '../platform/database/engine-data-source.js';
import { Peppers } from '../platform/peppers/peppers.js';
import { runCommand } from './command.js';

// npm run audit -- head | keys | new-chain

const USAGE = `npm run audit -- head       the last line that AUDIT_LOG has, or will have
npm run audit -- keys       the keys that lines are sealed with, for LATCHKEY_AUDIT_KEYS
npm run audit -- new-chain  begins a new chain, after a database of an earlier time was restored`;

await runCommand(async (config) => {
  switch (process.argv[2]) {
    case 'keys':
      console.log(keysOf(config));
      return;
    case 'head':
      await withDatabase(config, 'read', printHead);
      return;
    case 'new-chain':
      await withDatabase(config, 'write', async ({ manager }) => {
        await manager.createQueryBuilder().delete().from(AuditChainHead).execute();
      });
      return;
    default:
      throw new ConfigurationError(USAGE);
  }
});

function keysOf(config: Config): string {
  return Peppers.load(config)
    .derive(AUDIT_LOG_KEY)
    .map(({ pepperId, key }) => `${pepperId}:${key.export().toString('base64')}`)
    .join(',');
}

async function printHead({ manager }: EngineDataSource): Promise<void> {
  const [head] = await manager.find(AuditChainHead);
  const batches = await manager.find(AuditBatch, {
    select: { sequence: true, lastSequence: true },
  });
  const sealed = batches.reduce((sum, one) => sum + one.lastSequence - one.sequence + 1, 0);
  const waiting = sealed + (await manager.count(AuditOutboxEvent));
  console.log(head ? `${head.sequence}:${head.hash}` : 'no lines yet');
  console.error(`chain ${head?.chainId ?? 'not begun'}, ${waiting} events wait to be written`);
}

async function withDatabase(
  config: Config,
  access: 'read' | 'write',
  work: (dataSource: EngineDataSource) => Promise<void>,
): Promise<void> {
  const dataSource = new EngineDataSource(dataSourceOptions(config, access, entities));
  await dataSource.initialize();
  try {
    await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
