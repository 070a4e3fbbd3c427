import { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { invalidField } from '../problems/problem.js';
import { DEFAULT_LIMIT, Page, PageQueryDto } from './page.dto.js';

/**
 * Returns one page of what `query` selects, by default newest first. Ids sort by creation time, so the
 * next page starts after the last id of this one, regardless of inserts and deletions in between.
 */
export async function paginate<T extends ObjectLiteral & { id: string }, R>(
  query: SelectQueryBuilder<T>,
  { limit = DEFAULT_LIMIT, cursor }: PageQueryDto,
  toResponse: (entity: T) => R,
  direction: 'ASC' | 'DESC' = 'DESC',
): Promise<Page<R>> {
  const total = await query.getCount();
  const column = `${query.alias}.id`;
  if (cursor !== undefined) {
    const past = direction === 'DESC' ? '<' : '>';
    query.andWhere(`${column} ${past} :cursor`, { cursor: decodeCursor(cursor) });
  }
  const rows = await query
    .orderBy(column, direction)
    .limit(limit + 1)
    .getMany();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: page.map(toResponse),
    next_cursor: hasMore && last ? encodeCursor(last.id) : null,
    has_more: hasMore,
    total,
  };
}

export const encodeCursor = (id: string) => Buffer.from(id).toString('base64url');

/** @throws Problem if it is not a cursor from `encodeCursor` */
export function decodeCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!/^[a-z]+_[0-9a-z]{26}$/.test(id)) {
    throw invalidField('cursor', 'cursor must be the next_cursor of an earlier page');
  }
  return id;
}
