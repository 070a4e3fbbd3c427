import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { isPostgres } from '../../platform/database/dialect.js';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { metadataPath } from './postgres/metadata-path.js';
import { metadataCondition } from './sqlite/metadata-condition.js';

/** Restricts a query to rows whose metadata in `column` matches a filter. */
export function whereMetadata<T extends ObjectLiteral>(
  rows: SelectQueryBuilder<T>,
  column: string,
  filter: MetadataFilter,
): SelectQueryBuilder<T> {
  if (isPostgres(rows.dataSource)) {
    const condition = `jsonb_path_match(${column}, CAST(:metadataPath AS jsonpath))`;
    return rows.andWhere(condition, { metadataPath: metadataPath(filter) });
  }
  const parameters: Record<string, string | number> = {};
  const condition = metadataCondition(filter, column, (value) => {
    const name = `filter${Object.keys(parameters).length}`;
    parameters[name] = value;
    return `:${name}`;
  });
  return rows.andWhere(condition, parameters);
}
