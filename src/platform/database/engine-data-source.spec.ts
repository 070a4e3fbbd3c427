import { afterEach, describe, expect, it } from '@jest/globals';
import { ApiKey } from '../../api-keys/api-key.entity.js';
import { Config } from '../config/config.js';
import { Passage } from '../../documents/passage.entity.js';
import { DocumentContent } from '../../documents/document-content.entity.js';
import { entities } from '../../entities.js';
import { columnTypes, sqlNow, sqlToday } from './dialect.js';
import { dataSourceOptions } from './data-source-options.js';
import { EngineDataSource } from './engine-data-source.js';

const DATABASE_URL = 'postgres://127.0.0.1/latchkey';

/** Built without a connection. */
class Unconnected extends EngineDataSource {
  async types() {
    await this.buildMetadatas();
    const column = (entity: new () => object, property: string) =>
      this.getMetadata(entity).findColumnWithPropertyName(property);
    const number = column(Passage, 'number');
    return {
      instant: column(ApiKey, 'expiresAt')?.type,
      deletion: column(ApiKey, 'deletedAt')?.type,
      json: column(ApiKey, 'allowedIps')?.type,
      binary: column(DocumentContent, 'content')?.type,
      number: number && [number.type, number.generationStrategy],
    };
  }
}

const open = (variables: NodeJS.ProcessEnv) =>
  new Unconnected(dataSourceOptions(Config.fromEnvironment(variables), 'read', entities));

const sqlite = {
  instant: 'datetime',
  deletion: 'datetime',
  json: 'simple-json',
  binary: 'blob',
  number: ['integer', 'increment'],
};
const postgres = {
  instant: 'timestamptz',
  deletion: 'timestamptz',
  json: 'jsonb',
  binary: 'bytea',
  number: ['bigint', 'identity'],
};

describe(EngineDataSource.name, () => {
  const before = process.env['DATABASE_URL'];

  afterEach(() => {
    if (before === undefined) delete process.env['DATABASE_URL'];
    else process.env['DATABASE_URL'] = before;
  });

  it('has the types of the configured engine, whatever the environment of the process says', async () => {
    process.env['DATABASE_URL'] = DATABASE_URL;
    expect(await open({}).types()).toEqual(sqlite);
    delete process.env['DATABASE_URL'];
    expect(await open({ DATABASE_URL }).types()).toEqual(postgres);
  });

  it('has them also beside one of the other engine', async () => {
    const all = [open({}), open({ DATABASE_URL }), open({})];
    const types = await Promise.all(all.map((dataSource) => dataSource.types()));
    expect(types).toEqual([sqlite, postgres, sqlite]);
  });

  it('decides what migrations and queries say', () => {
    const [embedded, server] = [open({}), open({ DATABASE_URL })];
    expect(columnTypes(embedded)).toMatchObject({ instant: 'datetime', json: 'text' });
    expect(columnTypes(server)).toMatchObject({ instant: 'timestamptz', json: 'jsonb' });
    expect([sqlNow(embedded), sqlToday(embedded)].join()).toMatch(/^strftime.*,strftime/);
    expect([sqlNow(server), sqlToday(server)].join()).toMatch(/clock_timestamp.*,to_char/);
  });
});
