import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Rows } from '../load.js';
import type { PagedRows } from '../paging.js';
import { Loading, number } from './basics.js';
import { Icon } from './icon.js';
import { toRowMenu } from './row-actions.js';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** `short` texts are never broken; `actions` stand at the end and have no heading to be seen. */
  readonly kind?: 'numeric' | 'short' | 'actions';
  /**
   * The value by which rows can be sorted. The service returns lists in one order only, so sorting is offered only
   * if all rows are on the page: a sorted page of a long list would look like the whole list.
   */
  readonly sortBy?: (row: Row) => string | number | null;
}

/** Rows that can be chosen, to act on all of them at once. */
export interface Selection<Row> {
  /** The name of a row for people, such as its title. */
  readonly getName: (row: Row) => string;
  /** The actions for the chosen rows; `clear` clears the selection. */
  readonly actions: (rows: readonly Row[], clear: () => void) => ComponentChildren;
}

interface Order {
  readonly column: string;
  readonly isDescending: boolean;
}

/** A page of a list as a table. */
export function Table<Row>(props: {
  caption: string;
  rows: PagedRows<Row>;
  getKey: (row: Row) => string;
  columns: readonly Column<Row>[];
  selection?: Selection<Row> | undefined;
  /** Shown instead of a table without rows. */
  empty: ComponentChildren;
}) {
  const { rows, getKey, columns, selection } = props;
  const region = useRef<HTMLDivElement>(null);
  const page = useRef(rows.page);
  const [order, setOrder] = useState<Order>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (rows.isLoading || page.current === rows.page) return;
    page.current = rows.page;
    setChosen(new Set());
    // The user has begun to search meanwhile.
    if (document.activeElement instanceof HTMLInputElement) return;
    // The button that was pressed may be gone, and the new page begins above it.
    region.current?.focus({ preventScroll: true });
    region.current?.scrollIntoView({ block: 'nearest' });
  }, [rows.isLoading, rows.page]);
  if (!rows.value) {
    return (
      <>
        <Loading error={rows.error} rows={4} />
        {rows.error !== undefined && rows.start && (
          <button type="button" onClick={rows.start}>
            First page
          </button>
        )}
      </>
    );
  }
  if (rows.value.length === 0 && rows.page === 1) return <>{props.empty}</>;
  const isWhole = rows.page === 1 && !rows.next;
  const sortBy = isWhole ? columns.find(({ name }) => name === order?.column)?.sortBy : undefined;
  const shown = sortBy ? sortRows(rows.value, sortBy, order?.isDescending === true) : rows.value;
  // Chosen rows may have been deleted since.
  const chosenRows = shown.filter((row) => chosen.has(getKey(row)));
  const choose = (keys: readonly string[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const key of keys) {
      if (isChosen) next.add(key);
      else next.delete(key);
    }
    setChosen(next);
  };
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
              {selection && (
                <td class="selection">
                  <input
                    type="checkbox"
                    aria-label="Select all on this page"
                    checked={chosenRows.length === shown.length}
                    indeterminate={chosenRows.length > 0 && chosenRows.length < shown.length}
                    onChange={(event) => {
                      choose(shown.map(getKey), event.currentTarget.checked);
                    }}
                  />
                </td>
              )}
              {columns.map((column) => (
                <Heading
                  key={column.name}
                  column={column}
                  isSortable={isWhole && column.sortBy !== undefined && shown.length > 1}
                  order={order}
                  onOrder={setOrder}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={getKey(row)}>
                {selection && (
                  <td class="selection">
                    <input
                      type="checkbox"
                      class="select"
                      aria-label={`Select ${selection.getName(row)}`}
                      checked={chosen.has(getKey(row))}
                      onChange={(event) => {
                        choose([getKey(row)], event.currentTarget.checked);
                      }}
                    />
                  </td>
                )}
                {columns.map(({ name, cell, kind = '' }) => (
                  <td key={name} data-label={name} class={kind}>
                    {kind === 'actions' ? toRowMenu(cell(row)) : directed(cell(row))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {selection && chosenRows.length > 0 && (
        <div class="chosen" role="group" aria-label="Selected rows">
          <span role="status">{number(chosenRows.length)} selected</span>
          {selection.actions(chosenRows, () => {
            setChosen(new Set());
          })}
          <button
            type="button"
            class="plain icon-only"
            aria-label="Select none"
            onClick={() => {
              setChosen(new Set());
            }}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
      <Pager rows={rows} label={props.caption} />
    </>
  );
}

/** Isolates the direction of texts that people wrote, which depends on their language. */
const directed = (cell: ComponentChildren) =>
  typeof cell === 'string' && cell !== '' ? <bdi>{cell}</bdi> : cell;

function Heading<Row>(props: {
  column: Column<Row>;
  isSortable: boolean;
  order: Order | undefined;
  onOrder: (order: Order) => void;
}) {
  const { name, kind = '' } = props.column;
  const order = props.order?.column === name ? props.order : undefined;
  const direction = order?.isDescending === true ? 'descending' : 'ascending';
  return (
    <th scope="col" class={kind} {...(props.isSortable && order && { 'aria-sort': direction })}>
      {kind === 'actions' ? (
        <span class="unseen">{name}</span>
      ) : props.isSortable ? (
        <button
          type="button"
          class="sort"
          onClick={() => {
            props.onOrder({ column: name, isDescending: order?.isDescending === false });
          }}
        >
          {name}
          <Icon name="sort" />
        </button>
      ) : (
        name
      )}
    </th>
  );
}

const TEXTS = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Sorts rows; those without a value come last in either direction. */
function sortRows<Row>(
  rows: readonly Row[],
  by: (row: Row) => string | number | null,
  isDescending: boolean,
): Row[] {
  return rows.toSorted((one, other) => {
    const [a, b] = [by(one), by(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const order =
      typeof a === 'number' && typeof b === 'number' ? a - b : TEXTS.compare(String(a), String(b));
    return isDescending ? -order : order;
  });
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
