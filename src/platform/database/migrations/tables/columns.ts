import type { DataSource, TableColumnOptions, TableForeignKeyOptions } from 'typeorm';
import { columnTypes } from '../../dialect.js';

type Options = Partial<TableColumnOptions>;

export const primary = { isPrimary: true } as const;
export const nullable = { isNullable: true } as const;

const ofType =
  (type: string) =>
  (name: string, options: Options = {}): TableColumnOptions => ({ name, type, ...options });

/** Functions that describe a column of a migration, in the types of the database's engine. */
export function toTableColumns(dataSource: DataSource) {
  const { instant, json, binary, float, serial } = columnTypes(dataSource);
  return {
    /** A short text. */
    string: ofType('varchar'),
    text: ofType('text'),
    integer: ofType('integer'),
    bigint: ofType('bigint'),
    float: ofType(float),
    boolean: ofType('boolean'),
    instant: ofType(instant),
    json: ofType(json),
    binary: ofType(binary),
    /** A primary key from a sequence that never gives a number twice. */
    serial: (name: string): TableColumnOptions => ({ ...serial, name }),
  };
}

export type Columns = ReturnType<typeof toTableColumns>;

/** The row that `column` refers to: deleted with it, unless `onDelete` says otherwise. */
export const belongsTo = (
  column: string,
  referencedTableName: string,
  onDelete = 'CASCADE',
): TableForeignKeyOptions => ({
  columnNames: [column],
  referencedTableName,
  referencedColumnNames: ['id'],
  onDelete,
});

export const ofKnowledgeBase = [belongsTo('kb_id', 'knowledge_bases')];

/** Indexes, each by the columns of one list. */
export const indexes = (...lists: readonly string[][]) =>
  lists.map((columnNames) => ({ columnNames }));
