import type { IndexDialect } from '../index-store.js';
import { metadataCondition } from './metadata-condition.js';

/** Each file is the index of one knowledge base. Lists are JSON. */
export const SQLITE: IndexDialect = {
  ofIndex: 'TRUE',
  keyPrefix: '',
  join: 'CROSS JOIN',
  byTerm: 'INDEXED BY search_blocks_by_term',
  versions: `(
    SELECT one.value AS document_id, other.value AS version
    FROM json_each($1) one JOIN json_each($2) other ON other.key = one.key) v`,
  blocksFrom: `(
    SELECT one.value AS term, other.value AS number
    FROM json_each($2) one JOIN json_each($3) other ON other.key = one.key) v
    CROSS JOIN search_blocks b ON b.term = v.term AND b.first >= COALESCE((
      SELECT max(first) FROM search_blocks WHERE term = v.term AND first <= v.number), 0)`,
  lockDocuments: '',
  isIn: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
  list: (values) => JSON.stringify(values),
  vectorsAfter: 'v.kb_id = $1 AND v.model = $2 AND v.serial > $3',
  matches: (filter, bind) => metadataCondition(filter, 'd.metadata', bind),
  now: `strftime('%Y-%m-%d %H:%M:%f', 'now')`,
  nowAsText: `strftime('%Y-%m-%d %H:%M:%f', 'now')`,
  moment: (text) => text,
  interruptible: (number) => `(((${number}) & 63) OR check_deadline())`,
};
