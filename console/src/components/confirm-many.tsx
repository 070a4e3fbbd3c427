import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { actOnMany } from '../act-on-many.js';
import { describe } from '../api.js';
import { useShared } from '../load.js';
import { Confirm } from './dialog.js';

/**
 * Asks before the same is done with many. Closed meanwhile, it leaves those alone whose turn has not
 * come; after a failure it goes on with those that are left.
 */
export function ConfirmMany<Row>(props: {
  rows: readonly Row[];
  title: (rows: readonly Row[]) => string;
  /** Of the button, such as “Delete 3 documents”. */
  action: (rows: readonly Row[]) => string;
  act: (row: Row) => Promise<unknown>;
  /** What is said of those it was done with. */
  said: (count: number) => string;
  onEnded: () => void;
  onClose: () => void;
  children: (rows: readonly Row[]) => ComponentChildren;
}) {
  const { notify } = useShared();
  const [rows, setRows] = useState(props.rows);
  return (
    <Confirm
      title={props.title(rows)}
      action={props.action(rows)}
      onClose={props.onClose}
      onConfirm={async (signal) => {
        const { done, error } = await actOnMany(rows, props.act, signal);
        props.onEnded();
        const isSaid = error !== undefined && signal.aborted;
        const words = [done.size > 0 && props.said(done.size), isSaid && describe(error)];
        if (words.some(Boolean)) notify(words.filter(Boolean).join(' '));
        // It was said, since nothing shows it any more.
        if (error === undefined || signal.aborted) return;
        setRows(rows.filter((row) => !done.has(row)));
        throw error;
      }}
    >
      {props.children(rows)}
    </Confirm>
  );
}
