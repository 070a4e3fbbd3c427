import { CreateTables1763600000000 } from './1763600000000-create-tables.js';
import { CreateSearchIndex1763600000001 } from './1763600000001-create-search-index.js';
import { AddCharset1764300000005 } from './1764300000005-add-charset.js';

/**
 * In order. A migration that was released is never changed, and processes that run must be able to
 * go on after it (see docs/releasing.md).
 */
export const migrations = [
  CreateTables1763600000000,
  CreateSearchIndex1763600000001,
  AddCharset1764300000005,
];
