import { dataSourceOptions } from '../../platform/database/data-source-options.js';
import { EngineDataSource } from '../../platform/database/engine-data-source.js';
import type { Plugin } from '../../platform/plugins/plugin.js';
import { ReadReplicaModule } from './read-replica.module.js';
import { checkReplica } from './replica-check.js';
import { ReplicaReads } from './replica-reads.js';

/** Reads from a standby of PostgreSQL. */
export const plugin: Plugin = {
  module: ReadReplicaModule,
  createReads: (config, entities, primary) =>
    config.DATABASE_REPLICA_URL === undefined
      ? undefined
      : new ReplicaReads(
          primary,
          new EngineDataSource(dataSourceOptions(config, 'replica', entities)),
        ),
  doctorChecks: [checkReplica],
};
