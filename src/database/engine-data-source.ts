import { DataSource, type QueryRunner, type ReplicationMode } from 'typeorm';
import { traceStatements } from '../telemetry/trace-statements.js';
import { setColumnTypes } from './dialect.js';

let lastBuild: Promise<unknown> = Promise.resolve();

/** A data source whose entities have the column types of its engine. */
export class EngineDataSource extends DataSource {
  override createQueryRunner(mode?: ReplicationMode): QueryRunner {
    return traceStatements(super.createQueryRunner(mode));
  }

  /**
   * TypeORM reads the types from the decorators' metadata, which all data sources share: set the types
   * before each build, and run one build at a time.
   */
  protected override buildMetadatas(): Promise<void> {
    const build = lastBuild.then(() => {
      setColumnTypes(this);
      return super.buildMetadatas();
    });
    lastBuild = build.catch(() => undefined);
    return build;
  }
}
