import { Module } from '@nestjs/common';
import { SearchIndex } from './search-index.js';
import { SqliteSearchIndex } from './sqlite/sqlite-search-index.js';

@Module({
  providers: [{ provide: SearchIndex, useClass: SqliteSearchIndex }],
  exports: [SearchIndex],
})
export class SearchModule {}
