import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { type Api, describe, isAway, isSignedOut } from './api.js';
import type { KeyPolicy } from './session-types.js';

/** Values and functions that every page can use. */
export interface Shared {
  readonly api: Api;
  /** Undefined where only the gateway knows it. */
  readonly user: string | undefined;
  readonly keyPolicy: KeyPolicy;
  /** Whether a plugin runs in the service; the pages and requests of others are left out. */
  readonly isRunning: (plugin: string) => boolean;
  /** A client with a time limit for large files, and with another `fetch` if one is given. */
  readonly forFiles: (fetch?: typeof globalThis.fetch) => Api;
  /** Increases when the service is back, or the user has signed in again, so that everything is reloaded. */
  readonly epoch: number;
  /** Reports errors, so that the app shows if the service is unavailable or the session is over. */
  readonly report: (error: unknown) => void;
  /** Shows a notice, such as that a change is saved; with `undo` it has a button that takes it back. */
  readonly notify: (text: string, options?: { readonly undo?: () => Promise<unknown> }) => void;
  /** Opens the finder. */
  readonly find: () => void;
  /** Lists the keyboard shortcuts. */
  readonly help: () => void;
  readonly signOut: () => void;
}

/** Tells that something was not found. */
export const missing = new EventTarget();

export const SharedContext = createContext<Shared | null>(null);

export function useShared(): Shared {
  const shared = useContext(SharedContext);
  if (!shared) throw new Error('There is no SharedContext');
  return shared;
}

export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  readonly reload: () => void;
}

/** Loads a value when the page opens and whenever `key` changes; keeps the old value while it reloads. */
export function useLoad<T>(
  load: (api: Api, signal: AbortSignal) => Promise<T>,
  key: string,
): Loaded<T> {
  const { api, epoch, report } = useShared();
  const [state, setState] = useState<{ key: string; value?: T; error?: unknown }>({ key });
  const [count, setCount] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    load(api, leaving.signal).then(
      (value) => {
        if (!leaving.signal.aborted) setState({ key, value });
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        report(error);
        // The page keeps its content while the service is unavailable.
        const stays = isAway(error) || isSignedOut(error);
        setState((old) => ({ ...(stays && old.key === key ? old : { key }), error }));
      },
    );
    return () => {
      leaving.abort();
    };
  }, [key, epoch, count]);
  const reload = useCallback(() => {
    setCount((old) => old + 1);
  }, []);
  const current = state.key === key ? state : undefined;
  return { value: current?.value, error: current?.error, reload };
}

/** Reloads every `ms` while `active`. */
export function usePolling(
  { reload }: Pick<Loaded<unknown>, 'reload'>,
  active: boolean,
  ms = 1000,
) {
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, ms);
    return () => {
      clearInterval(timer);
    };
  }, [active, ms, reload]);
}

export const PAGE_ROWS = 100;

export interface Page<Row> {
  readonly data: Row[];
  readonly next_cursor: string | null;
  readonly total?: number;
}

/** Loads all rows of a list that is never very long. */
export async function loadAllRows<Row>(
  load: (page: { limit: number; cursor?: string }) => Promise<Page<Row>>,
): Promise<Row[]> {
  let page = await load({ limit: PAGE_ROWS });
  const rows = [...page.data];
  while (page.next_cursor !== null) {
    page = await load({ limit: PAGE_ROWS, cursor: page.next_cursor });
    rows.push(...page.data);
  }
  return rows;
}

export interface Rows<Row> extends Loaded<Row[]> {
  readonly total: number | undefined;
  readonly hasMore: boolean;
  readonly more: () => void;
}

/** A list that grows. A reload loads as many rows as are shown. */
export function useRows<Row>(
  load: (
    api: Api,
    page: { limit: number; cursor?: string },
    signal: AbortSignal,
  ) => Promise<Page<Row>>,
  key: string,
): Rows<Row> {
  const { api, report } = useShared();
  const shown = useRef({ key, rows: 0 });
  if (shown.current.key !== key) shown.current = { key, rows: 0 };
  const loaded = useLoad(async (api, signal) => {
    let { data, ...page } = await load(api, { limit: PAGE_ROWS }, signal);
    while (page.next_cursor !== null && data.length < shown.current.rows) {
      const next = await load(api, { limit: PAGE_ROWS, cursor: page.next_cursor }, signal);
      data = [...data, ...next.data];
      page = next;
    }
    return { ...page, data };
  }, key);
  const [added, setAdded] = useState<{ after: unknown } & Page<Row>>();
  const more = useChange(async () => {
    const cursor = last?.next_cursor;
    if (!loaded.value || cursor === undefined || cursor === null) return;
    const next = await load(api, { limit: PAGE_ROWS, cursor }, new AbortController().signal);
    setAdded({ ...next, data: [...(last?.data ?? []), ...next.data], after: loaded.value });
  });
  const last = added && added.after === loaded.value ? added : loaded.value;
  shown.current.rows = last?.data.length ?? 0;
  useEffect(() => {
    if (more.error !== undefined) report(more.error);
  }, [more.error]);
  return {
    value: last?.data,
    error: loaded.error,
    reload: loaded.reload,
    total: loaded.value?.total,
    hasMore: typeof last?.next_cursor === 'string',
    more: () => void more.run(),
  };
}

/**
 * Runs one change at a time; a second press while one runs does nothing. `run` returns whether the change was
 * made. If its form was closed meanwhile, a failure is shown as a notice.
 */
export function useChange<Args extends unknown[]>(change: (...args: Args) => Promise<void>) {
  const { report, notify } = useShared();
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const busy = useRef(false);
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  const run = async (...args: Args): Promise<boolean> => {
    if (busy.current) return false;
    busy.current = true;
    setState({ busy: true });
    try {
      await change(...args);
      setState({ busy: false });
      return true;
    } catch (error) {
      report(error);
      if (isGone.current) notify(describe(error));
      setState({ busy: false, error });
      return false;
    } finally {
      busy.current = false;
    }
  };
  return { run, ...state };
}
