import { CreateTables1763600000000 } from './1763600000000-create-tables.js';
import { CreateSearchIndex1763600000001 } from './1763600000001-create-search-index.js';
import { ContentSince1764300000003 } from './1764300000003-content-since.js';

/**
 * In order. A migration that was released is never changed, and processes that run must be able to
 * go on after it (see docs/releasing.md).
 */
export const migrations = [
  CreateTables1763600000000,
  CreateSearchIndex1763600000001,
  ContentSince1764300000003,
];
