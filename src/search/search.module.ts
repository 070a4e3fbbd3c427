import { Module } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Config } from '../config/config.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { PostgresSearchIndex } from './postgres/postgres-search-index.js';
import { SearchIndex } from './search-index.js';
import { SqliteSearchIndex } from './sqlite/sqlite-search-index.js';

@Module({
  providers: [
    {
      provide: SearchIndex,
      inject: [Config, getDataSourceToken(), UnitOfWork],
      useFactory: (config: Config, dataSource: DataSource, unitOfWork: UnitOfWork) =>
        config.postgres
          ? new PostgresSearchIndex(dataSource, unitOfWork)
          : new SqliteSearchIndex(config),
    },
  ],
  exports: [SearchIndex],
})
export class SearchModule {}
