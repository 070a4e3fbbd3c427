import type { IndexDialect } from '../index-store.js';
import { metadataPath } from './metadata-path.js';

/** The tables have the indexes of all knowledge bases. Lists are arrays. */
export const POSTGRES: IndexDialect = {
  ofIndex: 'index_number = (SELECT number FROM search_indexes WHERE kb_id = $1)',
  keyPrefix: 'index_number, ',
  join: 'JOIN',
  byTerm: '',
  versions: 'unnest($1::text[], $2::integer[]) AS v (document_id, version)',
  lockDocuments: 'FOR SHARE OF d',
  isIn: (column, parameter) => `${column} = ANY (${parameter})`,
  list: (values) => values,
  matches: (filter, bind) =>
    `jsonb_path_match(d.metadata, CAST(${bind(metadataPath(filter))} AS jsonpath))`,
  // A statement is cancelled by SearchConnection.
  interruptible: () => 'TRUE',
};
