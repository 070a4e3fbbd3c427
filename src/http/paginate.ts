import { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { DEFAULT_LIMIT, Page, PageQueryDto } from './page.dto.js';
import { invalidField } from '../problems/problem.js';

/**
 * One page of what `query` selects, newest first unless told otherwise. Ids sort by time of creation, so the last id of a
 * page is where the next one starts, whatever is inserted or deleted in between.
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
    query.andWhere(`${column} ${past} :cursor`, { cursor: decode(cursor) });
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
    next_cursor: hasMore && last ? encode(last.id) : null,
    has_more: hasMore,
    total,
  };
}

const encode = (id: string) => Buffer.from(id).toString('base64url');

function decode(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!/^[a-z]+_[0-9a-z]{26}$/.test(id)) {
    throw invalidField('cursor', 'cursor must be the next_cursor of an earlier page');
  }
  return id;
}
