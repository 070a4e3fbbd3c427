import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Rows } from '../load.js';
import { Loading, number } from './basics.js';

interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly numeric?: boolean;
}

/** A list as a table; more rows are read when its end comes into view. */
export function Table<Row>(props: {
  caption: string;
  rows: Rows<Row>;
  keyOf: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** Shown instead of a table without rows. */
  empty: ComponentChildren;
}) {
  const { rows, columns } = props;
  if (!rows.value) return <Loading error={rows.error} />;
  if (rows.value.length === 0) return <>{props.empty}</>;
  return (
    <>
      <div class="table" role="region" aria-label={props.caption} tabIndex={0}>
        <table>
          <caption>{props.caption}</caption>
          <thead>
            <tr>
              {columns.map(({ name, numeric }) => (
                <th key={name} scope="col" class={numeric ? 'numeric' : ''}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.value.map((row) => (
              <tr key={props.keyOf(row)}>
                {columns.map(({ name, cell, numeric }) => (
                  <td key={name} data-label={name} class={numeric ? 'numeric' : ''}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <More rows={rows} />
    </>
  );
}

export function More({ rows }: { rows: Rows<unknown> }) {
  const end = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (!end.current || !rows.hasMore) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) rows.more();
    });
    observer.observe(end.current);
    return () => {
      observer.disconnect();
    };
  });
  const count = rows.value?.length ?? 0;
  return (
    <p ref={end} class="quiet more">
      {number(count)} of {number(rows.total ?? count)}
      {rows.hasMore && (
        <button type="button" onClick={rows.more}>
          Show more
        </button>
      )}
    </p>
  );
}
