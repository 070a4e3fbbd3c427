import { useRef } from 'preact/hooks';
import type { Api } from './api.js';
import { type Loaded, type Page, PAGE_ROWS, useLoad } from './load.js';
import { useSearchParams } from './search-params.js';

export interface PagedRows<Row> extends Loaded<Row[]> {
  readonly total: number | undefined;
  /** The number of the page, from 1 on. */
  readonly page: number;
  /** The place of the first row in the whole list, from 1 on. */
  readonly first: number;
  /** Whether another page is loading while the old one is shown. */
  readonly isLoading: boolean;
  readonly next: (() => void) | undefined;
  /** Undefined on the first page, and after a link into the middle of the list. */
  readonly previous: (() => void) | undefined;
  readonly start: (() => void) | undefined;
}

/** Wraps a list that is loaded as a whole. */
export const toOnePage = <Row>({ value, error, reload }: Loaded<Row[]>): PagedRows<Row> => ({
  ...{ value, error, reload, total: value?.length, page: 1, first: 1 },
  isLoading: value === undefined && error === undefined,
  ...{ next: undefined, previous: undefined, start: undefined },
});

/** The cursor of the page before each cursor, since the service's cursors lead forward only. */
const cursorBefore = new Map<string, string | undefined>();

/**
 * Loads a list that may be long, one page at a time. The address contains the page.
 *
 * @param prefix of the parameters' names, where a page shows several lists
 */
export function usePagedRows<Row>(
  load: (
    api: Api,
    page: { limit: number; cursor?: string },
    signal: AbortSignal,
  ) => Promise<Page<Row>>,
  key: string,
  prefix: '' | `${string}_` = '',
): PagedRows<Row> {
  const [afterName, pageName] = [`${prefix}after`, `${prefix}page`];
  const [params, setParams] = useSearchParams([afterName, pageName]);
  const cursor = params[afterName];
  const page = cursor === undefined ? 1 : Math.max(1, Math.trunc(Number(params[pageName])) || 2);
  const loaded = useLoad(
    (api, signal) =>
      load(api, { limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) }, signal),
    `${key} ${cursor ?? ''}`,
  );
  // Another filter of the same list keeps the rows until the new ones are there.
  const [list = ''] = key.split(' {');
  const shown = useRef<{ list: string; value: Page<Row> }>();
  if (loaded.value) shown.current = { list, value: loaded.value };
  const isLoading = loaded.value === undefined && loaded.error === undefined;
  const value =
    loaded.value ?? (isLoading && shown.current?.list === list ? shown.current.value : undefined);
  const goTo = (to: string | undefined, toPage: number) => () => {
    setParams({
      [afterName]: to,
      [pageName]: to === undefined ? undefined : String(toPage),
    });
  };
  const nextCursor = loaded.value?.next_cursor ?? undefined;
  if (nextCursor !== undefined) cursorBefore.set(nextCursor, cursor);
  const isKnown = cursor !== undefined && cursorBefore.has(cursor);
  return {
    value: value?.data,
    error: loaded.error,
    reload: loaded.reload,
    total: value?.total,
    page,
    first: (page - 1) * PAGE_ROWS + 1,
    isLoading,
    next: nextCursor === undefined ? undefined : goTo(nextCursor, page + 1),
    previous: isKnown ? goTo(cursorBefore.get(cursor), page - 1) : undefined,
    start: cursor === undefined ? undefined : goTo(undefined, 1),
  };
}
