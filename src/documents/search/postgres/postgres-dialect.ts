import type { IndexDialect } from '../index-store.js';
import { metadataPath } from './metadata-path.js';

const OF_INDEX = 'index_number = (SELECT number FROM search_indexes WHERE kb_id = $1)';

/** The tables contain the indexes of all knowledge bases. Lists are arrays. */
export const POSTGRES: IndexDialect = {
  ofIndex: OF_INDEX,
  keyPrefix: 'index_number, ',
  join: 'JOIN',
  byTerm: '',
  versions: 'unnest($1::text[], $2::integer[]) AS v (document_id, version)',
  // `OFFSET 0` makes PostgreSQL look up each term in the index; see READ_BLOCKS.
  blocksFrom: `unnest($2::text[], $3::bigint[]) AS v (term, number)
    CROSS JOIN LATERAL (
      SELECT term, first, block FROM search_blocks
      WHERE ${OF_INDEX} AND term = v.term AND first >= COALESCE((
        SELECT max(first) FROM search_blocks
        WHERE ${OF_INDEX} AND term = v.term AND first <= v.number), 0)
      OFFSET 0) b`,
  lockDocuments: 'FOR SHARE OF d',
  isIn: (column, parameter) => `${column} = ANY (${parameter})`,
  list: (values) => values,
  // Compares in the order of one index. With equality, a generic plan may read all rows after the
  // serial number, also those of other knowledge bases.
  vectorsAfter: '(v.kb_id, v.model, v.serial) > ($1, $2, $3) AND (v.kb_id, v.model) <= ($1, $2)',
  matches: (filter, bind) =>
    `jsonb_path_match(d.metadata, CAST(${bind(metadataPath(filter))} AS jsonpath))`,
  now: 'clock_timestamp()',
  nowAsText: `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00'`,
  moment: (text) => `CAST(${text} AS timestamptz)`,
  // A statement is cancelled by SearchConnection.
  interruptible: () => 'TRUE',
};
