import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Rows } from '../load.js';
import type { PagedRows } from '../paging.js';
import { Loading, number } from './basics.js';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** `short` texts are never broken; `actions` stand at the end and have no heading to be seen. */
  readonly kind?: 'numeric' | 'short' | 'actions';
}

/** A page of a list as a table. */
export function Table<Row>(props: {
  caption: string;
  rows: PagedRows<Row>;
  keyOf: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** Shown instead of a table without rows. */
  empty: ComponentChildren;
}) {
  const { rows, columns } = props;
  const region = useRef<HTMLDivElement>(null);
  const page = useRef(rows.page);
  useEffect(() => {
    if (rows.isLoading || page.current === rows.page) return;
    page.current = rows.page;
    // Somebody has begun to search meanwhile.
    if (document.activeElement instanceof HTMLInputElement) return;
    // The button that was pressed may be gone, and the new page begins above it.
    region.current?.focus({ preventScroll: true });
    region.current?.scrollIntoView({ block: 'nearest' });
  }, [rows.isLoading, rows.page]);
  if (!rows.value) {
    return (
      <>
        <Loading error={rows.error} />
        {rows.error !== undefined && rows.start && (
          <button type="button" onClick={rows.start}>
            First page
          </button>
        )}
      </>
    );
  }
  if (rows.value.length === 0 && rows.page === 1) return <>{props.empty}</>;
  return (
    <>
      <div
        ref={region}
        class="table"
        role="region"
        aria-label={props.caption}
        aria-busy={rows.isLoading}
        tabIndex={0}
      >
        <table>
          <caption>{props.caption}</caption>
          <thead>
            <tr>
              {columns.map(({ name, kind = '' }) => (
                <th key={name} scope="col" class={kind}>
                  {kind === 'actions' ? <span class="unseen">{name}</span> : name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.value.map((row) => (
              <tr key={props.keyOf(row)}>
                {columns.map(({ name, cell, kind = '' }) => (
                  <td key={name} data-label={name} class={kind}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager rows={rows} label={props.caption} />
    </>
  );
}

function Pager({ rows, label }: { rows: PagedRows<unknown>; label: string }) {
  const count = rows.value?.length ?? 0;
  const total = rows.total ?? count;
  if (!rows.next && !rows.start) return null;
  return (
    <nav class="pager" aria-label={`Pages of ${label}`}>
      <span class="quiet" role="status">
        {count === 0
          ? `None of ${number(total)}`
          : `${number(rows.first)}–${number(rows.first + count - 1)} of ${number(total)}`}
      </span>
      {rows.start && (!rows.previous || rows.page > 2) && (
        <button type="button" onClick={rows.start}>
          First page
        </button>
      )}
      <button type="button" disabled={!rows.previous} onClick={rows.previous}>
        Previous
      </button>
      <button type="button" disabled={!rows.next} onClick={rows.next}>
        Next
      </button>
    </nav>
  );
}

/** The end of a list that grows: more is read when it comes into view. */
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
  if (!rows.hasMore) return null;
  const count = rows.value?.length ?? 0;
  return (
    <p ref={end} class="pager">
      <span class="quiet">
        {number(count)} of {number(rows.total ?? count)}
      </span>
      <button type="button" onClick={rows.more}>
        Show more
      </button>
    </p>
  );
}
